package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.bench.broker.BenchBroker;
import io.iocluster.lab.bench.broker.KafkaBenchBroker;
import io.iocluster.lab.installation.Installation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests each scenario. Most of them measure the same on every transport. */
class KafkaScenariosIT extends ScenarioTestBase {

    @Override
    BenchBroker launch() {
        return new KafkaBenchBroker(3, 0);
    }

    @Test
    void measuresTheHeapOfOpenCallsAndTheLatencyOfOthers() {
        Measurement open = new OpenCallsScenario().measure(lab, Subject.NODE, 1, SMALL);

        assertThat(open.calls()).isEqualTo(200);
        assertThat(open.extras())
                .containsEntry("open", 1_000.0)
                .hasEntrySatisfying(
                        "heap KB a call", kilobytes -> assertThat(kilobytes).isBetween(1.0, 100.0))
                .hasEntrySatisfying("p50 ms", millis -> assertThat(millis).isBetween(100.0, 60_000.0));
    }

    @Test
    void measuresTheCostOfACallAlongEachAxis() {
        Measurement scaled = new ScaleScenario().measure(lab, Subject.NODE, 1, SMALL);

        // Answers that arrive before the counter notices the end of the warm-up are not measured.
        assertThat(scaled.calls()).isBetween(3_000L, 4_000L);
        assertThat(scaled.extras())
                .containsKeys("hosts 20 calls/s", "hosts 20 CPU µs")
                .hasEntrySatisfying(
                        "hosts 20 peak open", open -> assertThat(open).isBetween(1.0, 50.0));
        assertThat(scaled.extras().values()).allSatisfy(each -> assertThat(each).isPositive());
    }

    @Test
    void comparesGoodCallsWithAndWithoutBadOnes() {
        BenchOptions hasty = small("--set=node.warm-up=0s", "--set=http.deadline=2s");

        Measurement fair = new FairnessScenario().measure(lab, Subject.NODE, 1, hasty);

        assertThat(fair.extras()).containsOnlyKeys("alone p50 ms", "alone p99 ms", "p50 ms", "p99 ms");
        assertThat(fair.extras().values())
                .allSatisfy(millis -> assertThat(millis).isBetween(100.0, 60_000.0));
        assertThat(fair.outcomes()).containsEntry("good", Map.of("200", 200L));
        assertThat(fair.outcomes().get("dead")).doesNotContainKey("200");
        assertThat(fair.outcomes().get("slow")).containsKey("deadline-exceeded").doesNotContainKey("200");
        assertThat(fair.outcomes().get("failing")).doesNotContainKey("200");
        assertThat(List.of("dead", "slow", "failing"))
                .allSatisfy(host -> assertThat(sum(fair.outcomes().get(host))).isEqualTo(100));
    }

    @Test
    void comparesANodeWithAndWithoutMonitoring() {
        Measurement watched = new MonitoredScenario().measure(lab, Subject.NODE, 1, SMALL);

        assertThat(watched.calls()).isBetween(1L, 6 * 2_500L);
        assertThat(watched.callsPerSecond()).isPositive();
        assertThat(watched.extras().get("alone calls/s")).isPositive();
        assertThat(watched.extras().get("watched calls/s")).isPositive();
        assertThat(watched.extras().get("tapped calls/s")).isPositive();
        assertThat(watched.extras().get("announcing CPU")).isBetween(0.000_01, 0.5);
        assertThat(watched.extras().get("remaining throughput"))
                .isEqualTo(watched.extras().get("watched calls/s")
                        - watched.extras().get("announcing CPU"));
    }

    @Test
    void measuresTheFirstCallsOfAnInstalledNode(@TempDir Path folder) {
        Path home = new Installation(folder).withJars().home();

        Measurement started = new StartScenario(home, 17).measure(lab, Subject.NODE, 1, SMALL);

        assertThat(started.calls()).isEqualTo(600);
        assertThat(started.extras())
                .containsEntry("cache MiB", 0.0)
                .hasEntrySatisfying("ready s", seconds -> assertThat(seconds).isBetween(0.5, 240.0))
                .hasEntrySatisfying("first p99 ms", millis -> assertThat(millis).isBetween(100.0, 60_000.0))
                .hasEntrySatisfying(
                        "steady p99 ms", millis -> assertThat(millis).isBetween(100.0, 60_000.0));
    }

    private static long sum(Map<String, Long> outcomes) {
        return outcomes.values().stream().mapToLong(Long::longValue).sum();
    }
}
