package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.bench.broker.BenchBroker;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the scenarios that depend on the transport, with small sizes on each subject. There is one subclass for each transport. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ScenarioTestBase {

    private static final Map<String, String> NO_WARM_UP = Map.of("node.warm-up", "0s");

    static final BenchOptions SMALL = small(NO_WARM_UP);

    BenchEnvironment lab;

    static BenchOptions small(Map<String, String> settings) {
        return new BenchOptions(
                1,
                50,
                3_000,
                2_000,
                false,
                200,
                3,
                1,
                new BenchOptions.StartWindows(1, 2, 3),
                400,
                200,
                500,
                5_000,
                6,
                4_000,
                Map.of(
                        "partitions", List.of(1, 2), "hosts", List.of(1, 20), "in-flight", List.of(400), "nodes", List.of(2)),
                List.of(Subject.values()),
                List.of("-Xmx256m"),
                List.of(),
                settings);
    }

    abstract BenchBroker launch();

    @BeforeAll
    void start() {
        lab = new BenchEnvironment(launch());
    }

    @AfterAll
    void close() {
        lab.close();
    }

    @ParameterizedTest
    @EnumSource
    void drainsEachCallOnce(Subject subject) {
        Measurement drained = new DrainScenario().measure(lab, subject, 1, SMALL);

        assertThat(drained.calls()).isEqualTo(3_000);
        assertThat(drained.callsPerSecond()).isPositive();
        assertThat(drained.cpuMicrosPerCall()).isPositive();
        assertThat(drained.peakResidentBytes()).isPositive();
        assertThat(drained.extras())
                .containsEntry("duplicates", 0.0)
                .containsKeys("steady calls/s", "steady CPU µs")
                .hasEntrySatisfying(
                        "first answer s", seconds -> assertThat(seconds).isBetween(0.5, 240.0));
    }

    @ParameterizedTest
    @EnumSource
    void measuresLatencyFromWhenACallWasDue(Subject subject) {
        Measurement steady = new LatencyScenario().measure(lab, subject, 1, SMALL);

        assertThat(steady.calls()).isEqualTo(600);
        assertThat(steady.extras().get("p50 ms")).isBetween(100.0, 60_000.0);
    }
}
