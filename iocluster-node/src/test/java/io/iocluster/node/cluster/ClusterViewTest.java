package io.iocluster.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.cluster.ClusterSnapshot.LiveNode;
import io.iocluster.node.cluster.ClusterSnapshot.LostNode;
import io.iocluster.node.config.ClusterSettings;
import io.iocluster.testkit.junit.CapturedLog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterViewTest {

    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");
    private static final int SELF = 1;
    private static final int MAX_NODES = 20;
    private static final int INVENTED = Candidates.MAX + 1_000;

    private long millis;
    private final ClusterView view = new ClusterView(
            TestAnnouncements.instance(SELF),
            new ClusterSettings(true, Duration.ofSeconds(2), Duration.ofSeconds(10), MAX_NODES, Duration.ofSeconds(2)),
            () -> Duration.ofMillis(millis).toNanos(),
            () -> START.plusMillis(millis));

    ClusterViewTest() {
        view.setOwn(TestAnnouncements.idle("node-1", SELF));
    }

    @Test
    void showsANodeFromItsSecondRecordOn() {
        announce("node-2", 2);
        assertThat(names()).containsExactly("node-1");

        announce("node-2", 2);

        assertThat(names()).containsExactly("node-1", "node-2");
        assertThat(view.snapshot().nodes()).extracting(LiveNode::self).containsExactly(true, false);
    }

    @Test
    void showsTheAgeByItsOwnClock() {
        join("node-2", 2);
        after(1_500);

        assertThat(view.snapshot().nodes().get(1).ageMillis()).isEqualTo(1_500);
    }

    @Test
    void removesANodeThatLeavesAtOnce() {
        join("node-2", 2);

        view.received(NodeAnnouncement.leaving(TestAnnouncements.identity("node-2", 2)));

        assertThat(names()).containsExactly("node-1");
        assertThat(view.snapshot().lost()).isEmpty();
    }

    @Test
    void removesANodeThatAnnouncesNothingForTenSeconds() {
        join("node-2", 2);
        for (int i = 0; i < 4; i++) {
            after(2_400);
            announceSelf();
        }
        assertThat(names()).containsExactly("node-1", "node-2");
        after(400);

        assertThat(names()).containsExactly("node-1");
        assertThat(view.snapshot().lost()).containsExactly(new LostNode("node-2", START));
        assertThat(view.snapshot().lostCount()).isOne();
    }

    @Test
    void forgetsALostNodeWhenItIsBackOrAfterTenMinutes() {
        loseNode("node-2", 2);
        loseNode("node-3", 3);
        join("node-2", 4);
        assertThat(view.snapshot().lost()).extracting(LostNode::name).containsExactly("node-3");

        millis += Duration.ofMinutes(11).toMillis();
        announceSelf();
        announceSelf();

        assertThat(view.snapshot().lost()).extracting(LostNode::name).doesNotContain("node-3");
    }

    @Test
    void keepsTheNodesWhileNothingArrives() {
        join("node-2", 2);
        after(4_900);
        assertThat(view.snapshot().silent()).isFalse();

        after(60_000);

        assertThat(view.snapshot().silent()).isTrue();
        assertThat(view.snapshot().silentMillis()).isEqualTo(64_900);
        assertThat(names()).containsExactly("node-1", "node-2");
    }

    @Test
    void givesTheNodesTimeToAnnounceThemselvesAfterAnOutage() {
        join("node-2", 2);
        join("node-3", 3);
        after(60_000);

        announceSelf();
        assertThat(view.snapshot().silent()).isFalse();
        after(2_000);
        announceSelf();
        announce("node-2", 2);
        assertThat(names()).containsExactly("node-1", "node-2", "node-3");
        for (int i = 0; i < 4; i++) {
            after(2_000);
            announceSelf();
            announce("node-2", 2);
        }

        assertThat(names()).containsExactly("node-1", "node-2");
    }

    @Test
    void showsOnlyTheNewProcessOfANodeThatWasRestarted() {
        join("node-2", 2);

        join("node-2", 3);

        assertThat(names()).containsExactly("node-1", "node-2");
        assertThat(view.snapshot().nodes().get(1).instance()).isEqualTo(TestAnnouncements.instance(3));
        for (int i = 0; i < 6; i++) {
            after(2_000);
            announceSelf();
            announce("node-2", 3);
        }
        assertThat(view.snapshot().lost()).isEmpty();
    }

    @Test
    void showsBothProcessesThatHaveTheSameName() {
        join("node-2", 2);
        join("node-2", 3);

        announce("node-2", 2);
        announce("node-2", 3);

        assertThat(names()).containsExactly("node-1", "node-2", "node-2");
    }

    @Test
    void inventedNodesShowNothing() {
        join("node-2", 2);

        invent();

        assertThat(names()).containsExactly("node-1", "node-2");
        assertThat(ignored(IgnoredRecord.UNCONFIRMED)).isEqualTo(1_000);
    }

    @Test
    void aNodeIsShownWhileNodesAreInventedBetweenItsRecords() {
        announce("node-2", 2);
        for (int i = 0; i < 2_000; i++) {
            announce("fake-" + i, 1_000 + i);
        }
        announce("node-2", 2);

        assertThat(names()).containsExactly("node-1", "node-2");
    }

    @Test
    void countsEachInventedNodeOnceWhenAllHaveExpired() {
        invent();
        for (int i = 0; i < 4; i++) {
            after(2_400);
            announceSelf();
        }
        assertThat(ignored(IgnoredRecord.UNCONFIRMED)).isEqualTo(1_000);

        after(400);
        assertThat(ignored(IgnoredRecord.UNCONFIRMED)).isEqualTo(INVENTED);

        after(2_000);
        announceSelf();
        assertThat(ignored(IgnoredRecord.UNCONFIRMED)).isEqualTo(INVENTED);
    }

    @Test
    void showsAtMostTheConfiguredNumberOfNodesAndKeepsThoseThatItKnows() {
        join("node-2", 2);

        for (int i = 0; i < 100; i++) {
            join("more-" + i, 1_000 + i);
        }

        assertThat(names()).hasSize(MAX_NODES).contains("node-1", "node-2");
        assertThat(ignored(IgnoredRecord.TOO_MANY_NODES)).isEqualTo(100 - (MAX_NODES - 2));
    }

    @Test
    void countsRecordsThatAreIgnored() {
        view.ignored(IgnoredRecord.UNREADABLE);
        view.ignored(IgnoredRecord.UNKNOWN_VERSION);

        assertThat(ignored(IgnoredRecord.UNREADABLE)).isOne();
        assertThat(ignored(IgnoredRecord.UNKNOWN_VERSION)).isOne();
        assertThat(names()).containsExactly("node-1");
    }

    @Test
    void logsIgnoredRecordsOnceAMinuteForEachReason() {
        try (CapturedLog log = CapturedLog.of(IgnoredRecords.class)) {
            for (int i = 0; i < 1_000; i++) {
                view.ignored(IgnoredRecord.UNREADABLE);
            }
            view.ignored(IgnoredRecord.UNKNOWN_VERSION);
            after(60_000);
            view.ignored(IgnoredRecord.UNREADABLE);

            assertThat(log.messages())
                    .hasSize(3)
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .startsWith("Announcements ignored reason=unreadable records=1 explanation=only"),
                            line -> assertThat(line)
                                    .startsWith(
                                            "Announcements ignored reason=unknown-version records=1 explanation=a later version"),
                            line -> assertThat(line).contains("reason=unreadable records=1000 explanation="));
        }
    }

    @Test
    void noticesThatOnlyItsOwnAnnouncementsDoNotArrive() {
        join("node-2", 2);
        for (int i = 0; i < 4; i++) {
            after(2_000);
            announce("node-2", 2);
            assertThat(view.snapshot().unheard()).isFalse();
        }
        after(2_000);
        announce("node-2", 2);
        assertThat(view.snapshot().unheard()).isTrue();

        announceSelf();

        assertThat(view.snapshot().unheard()).isFalse();
    }

    @Test
    void theTimeBeforeItsStartIsNoSilence() {
        after(60_000);

        view.start();

        assertThat(view.snapshot().silent()).isFalse();
        after(5_001);
        assertThat(view.snapshot().silent()).isTrue();
    }

    @Test
    void doesNotTakeItsOwnRecordForAnotherNode() {
        announceSelf();
        announceSelf();

        assertThat(names()).containsExactly("node-1");
        assertThat(view.ownRecords()).isEqualTo(2);
    }

    @Test
    void showsOnlyTheOthersAfterItHasLeft() {
        join("node-2", 2);

        view.setOwn(null);

        assertThat(names()).containsExactly("node-2");
    }

    private void loseNode(String name, int instance) {
        join(name, instance);
        for (int i = 0; i < 6; i++) {
            after(2_000);
            announceSelf();
        }
        assertThat(view.snapshot().lost()).extracting(LostNode::name).contains(name);
    }

    private void invent() {
        for (int i = 0; i < INVENTED; i++) {
            announce("fake-" + i, 1_000 + i);
        }
    }

    private void join(String name, int instance) {
        announce(name, instance);
        announce(name, instance);
    }

    private void announceSelf() {
        announce("node-1", SELF);
    }

    private void announce(String name, int instance) {
        view.received(TestAnnouncements.idle(name, instance));
    }

    private void after(long more) {
        millis += more;
    }

    private List<String> names() {
        return view.snapshot().nodes().stream().map(LiveNode::name).toList();
    }

    private long ignored(IgnoredRecord reason) {
        return view.snapshot().ignored().get(reason);
    }
}
