package io.iocluster.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.transport.cluster.ClusterChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract suite of channels of announcements. The tests of a transport extend this class and provide the fixture. */
public abstract class ClusterChannelContract {

    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final List<Member> members = new ArrayList<>();
    private ClusterChannelFixture fixture;

    /** Returns a fixture with a new topic or exchange. */
    public abstract ClusterChannelFixture newFixture();

    @BeforeEach
    void openFixture() {
        fixture = newFixture();
    }

    @AfterEach
    void closeAll() {
        members.forEach(member -> member.channel.close(null, CLOSE));
        fixture.close();
    }

    @Test
    void deliversARecordToEveryNodeIncludingItsSender() {
        Member one = connected("one");
        Member two = connected("two");

        two.announce("hello");

        two.awaitOwn("hello");
        awaitLong().until(() -> one.received.contains("hello"));
        awaitLong()
                .until(() -> two.channel.status().announced() > 0
                        && two.channel.status().problem() == null);
    }

    @Test
    void deliversNothingThatWasAnnouncedBeforeItsStart() {
        Member one = connected("one");
        one.announce("old");
        one.awaitOwn("old");

        Member two = connected("two");

        assertThat(two.received).containsOnly("joined-two");
    }

    @Test
    void sendsOnlyTheLatestRecordAfterItsConnectionIsOpen() {
        Member one = new Member("one");
        one.announce("outdated");
        one.announce("latest");

        one.channel.start(one);

        awaitLong().until(() -> one.received.contains("latest"));
        assertThat(one.received).containsExactly("latest");
        assertThat(one.channel.status().failed()).isOne();
    }

    @Test
    void announcesTheLastRecordWhenItCloses() {
        Member one = connected("one");
        Member two = connected("two");

        two.channel.close(bytes("gone"), CLOSE);

        awaitLong().until(() -> one.received.contains("gone"));
    }

    @Test
    void dropsAndCountsRecordsThatAreTooLarge() {
        Member one = connected("one");

        fixture.publish(new byte[10 << 20]);
        fixture.publish(new byte[ClusterChannel.MAX_RECORD_BYTES + 1]);
        one.announce("after");

        one.awaitOwn("after");
        assertThat(one.received).containsExactly("joined-one", "after");
        assertThat(one.channel.status().dropped()).isEqualTo(2);
    }

    @Test
    void refusesToAnnounceARecordThatIsTooLarge() {
        Member one = new Member("one");

        assertThatThrownBy(() -> one.channel.announce(new byte[ClusterChannel.MAX_RECORD_BYTES + 1]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsOnlyPartOfAFloodAndThenTheNodes() {
        Member one = connected("one");
        long start = System.nanoTime();

        fixture.publishMany(bytes("flood"), 20_000);
        awaitLong().until(() -> {
            one.announce("after");
            return one.received.contains("after");
        });

        long seconds = 2 + Duration.ofNanos(System.nanoTime() - start).toSeconds();
        assertThat(one.received.size()).isLessThanOrEqualTo((int) (seconds * ClusterChannel.MAX_RECORDS_PER_SECOND));
    }

    @Test
    void continuesAfterADefectOfItsListener() {
        Member one = connected("one");
        fixture.publish(bytes("defect"));

        one.announce("after");

        one.awaitOwn("after");
    }

    @Test
    void reportsAnOutageOfTheBrokerAndContinuesAfterItUnlessItIsClosed() {
        Member one = connected("one");
        Member two = connected("two");
        Member closed = connected("three");

        fixture.killBroker();
        long start = System.nanoTime();
        closed.channel.close(bytes("gone"), Duration.ofSeconds(1));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
        awaitLong().until(() -> {
            one.announce("lost");
            return one.channel.status().problem() != null
                    && one.channel.status().failed() > 0;
        });
        fixture.restartBroker();

        awaitLong().until(() -> {
            one.announce("back");
            return two.received.contains("back");
        });
        awaitLong().until(() -> one.channel.status().problem() == null);
    }

    /** Starts a channel, and returns when it receives. */
    private Member connected(String id) {
        Member member = new Member(id);
        member.announce("joined-" + id);
        member.channel.start(member);
        member.awaitOwn("joined-" + id);
        return member;
    }

    private static ConditionFactory awaitLong() {
        return await().pollInterval(Duration.ofMillis(50));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private final class Member implements ClusterChannel.Listener {

        final ClusterChannel channel;
        final List<String> received = new CopyOnWriteArrayList<>();
        private volatile long failedBefore;

        Member(String id) {
            channel = fixture.newChannel(id);
            members.add(this);
        }

        void announce(String text) {
            failedBefore = channel.status().failed();
            channel.announce(bytes(text));
        }

        /**
         * Waits until it receives the record that it announced last. Announces it again if that failed, because a channel announces each
         * record once and a busy broker may not confirm it in time.
         */
        void awaitOwn(String text) {
            awaitLong().until(() -> {
                if (received.contains(text)) {
                    return true;
                }
                if (channel.status().failed() > failedBefore) {
                    announce(text);
                }
                return false;
            });
        }

        @Override
        public void received(byte[] record) {
            String text = new String(record, StandardCharsets.UTF_8);
            if (text.equals("defect")) {
                throw new IllegalStateException("a defect");
            }
            received.add(text);
        }
    }
}
