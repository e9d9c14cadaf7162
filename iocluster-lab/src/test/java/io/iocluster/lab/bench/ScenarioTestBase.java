package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.bench.broker.BenchBroker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Tests the scenarios that depend on the transport, with small sizes on each subject. There is one subclass for each transport. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ScenarioTestBase {

    static final BenchOptions SMALL = small("--set=node.warm-up=0s");

    BenchEnvironment lab;

    static BenchOptions small(String... settings) {
        List<String> arguments = new ArrayList<>(List.of(settings));
        Collections.addAll(
                arguments,
                "--rounds=1",
                "--max-in-flight=50",
                "--requests=1500",
                "--warmup=1000",
                "--rate=200",
                "--seconds=1",
                "--warmup-seconds=1",
                "--start-first=1",
                "--start-steady-from=2",
                "--start-steady-to=3",
                "--open=1000",
                "--fair-rate=200",
                "--fair-calls=500",
                "--watch-calls=2500",
                "--watch-windows=6",
                "--scale-calls=4000",
                "--axis=hosts=20",
                "--jvm-arg=-Xmx256m",
                // The second compiler would take more CPU time than the calls.
                "--jvm-arg=-XX:TieredStopAtLevel=1");
        return CommandLine.populateCommand(new BenchOptions(), arguments.toArray(String[]::new));
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

        assertThat(drained.calls()).isEqualTo(1_500);
        assertThat(drained.callsPerSecond()).isPositive();
        assertThat(drained.cpuMicrosPerCall()).isPositive();
        assertThat(drained.peakResidentBytes()).isPositive();
        assertThat(drained.extras())
                .containsEntry("duplicates", 0.0)
                .containsKeys("steady calls/s", "steady CPU µs")
                .hasEntrySatisfying(
                        "first answer s", seconds -> assertThat(seconds).isBetween(0.5, 240.0));
    }

    /** Measures only the naive loop, because the configuration of a node is the same in each scenario. */
    @Test
    void measuresLatencyFromWhenACallWasDue() {
        Measurement steady = new LatencyScenario().measure(lab, Subject.NAIVE, 1, SMALL);

        assertThat(steady.calls()).isEqualTo(200);
        assertThat(steady.extras().get("p50 ms")).isBetween(100.0, 60_000.0);
    }
}
