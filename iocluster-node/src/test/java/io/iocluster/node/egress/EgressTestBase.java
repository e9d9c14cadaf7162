package io.iocluster.node.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.SentStatus;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plays the whole {@link EgressTable} once, and then looks at what came of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EgressTestBase {

    /** How late a call's end may come on a machine that is busy with everything else in the table. */
    private static final long SLACK_MILLIS = 600;

    private final Map<String, EgressResult> endings = new HashMap<>();
    private HostileTargets world;
    private EgressScenario scene;

    /** A node among hostile targets. */
    interface EgressScenario extends AutoCloseable {

        /** Puts the rows on the queue, and returns the endings by the rows' ids when there is one for each. */
        Map<String, EgressResult> play(List<EgressCase> rows) throws Exception;

        @Override
        void close();
    }

    abstract EgressScenario start(HostileTargets hostile) throws Exception;

    @BeforeAll
    void play() throws Exception {
        world = new HostileTargets();
        scene = start(world);
        endings.putAll(scene.play(EgressTable.rows(world)));
        endings.putAll(scene.play(EgressTable.afterwards(world)));
    }

    @AfterAll
    void clear() {
        if (scene != null) {
            scene.close();
        }
        world.close();
    }

    Stream<EgressCase> rows() {
        return Stream.concat(EgressTable.rows(world).stream(), EgressTable.afterwards(world).stream());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void endsAsTheTableSays(EgressCase row) {
        EgressResult ending = endings.get(row.id());
        assertThat(ending.text()).isEqualTo(row.ending());
        Answer answer = ending.answer();
        if (answer != null && row.ending().startsWith("rejected")) {
            assertThat(answer.error().sent()).isEqualTo(SentStatus.NO);
        }
        if (row.timeoutMillis() > 0) {
            assertThat(answer.timing().totalMs())
                    .isBetween(row.timeoutMillis() - 10, row.timeoutMillis() + SLACK_MILLIS);
        }
    }

    @Test
    void noRowIsPlayedTwice() {
        assertThat(rows().map(EgressCase::id)).doesNotHaveDuplicates().hasSize(endings.size());
    }

    @Test
    void onlyTheCheckedAddressWasEverDialled() throws Exception {
        assertThat(world.trap.dialled()).isEqualTo(Map.of(InetAddress.getByName(HostileTargets.ALLOWED), 1));
    }

    @Test
    void othersAreAnsweredWhileSomeNeverAre() {
        assertThat(endings.get("a bystander").answer().timing().totalMs()).isLessThan(SLACK_MILLIS);
    }

    @Test
    void keepsOfABodyWhatItMay() {
        for (String endless : List.of("gzip bomb 0", "endless chunked body")) {
            assertThat(endings.get(endless).answer().body()).hasSize(512 * 1024).containsOnly('x');
        }
    }

    @Test
    void tellsATargetTwiceOnlyWhatDoesNoHarm() {
        assertThat(world.target.requests("/cut")).isEqualTo(1);
        assertThat(world.stale.requests("/stale?2")).isEqualTo(2);
        assertThat(endings.get("stale keep-alive, GET").answer().attempts()).isEqualTo(1);
        assertThat(endings.get("Retry-After: 9999999999").answer().attempts()).isEqualTo(1);
        assertThat(endings.get("Retry-After: soon").answer().attempts()).isEqualTo(2);
    }

    @Test
    void closesEveryConnectionThatMisbehaves() {
        await().atMost(Duration.ofSeconds(10)).until(() -> world.target.underWay() == 0);
    }
}
