package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests the scenario with a real target, which speaks only HTTP/2. It needs no broker. */
class SiblingsScenarioIT {

    @Test
    void measuresCallsBesideEachKindOfOtherCalls() {
        BenchOptions options =
                CommandLine.populateCommand(new BenchOptions(), "--rate=200", "--seconds=1", "--warmup-seconds=1");

        Measurement measured = new SiblingsScenario().measure(null, Subject.NODE, 1, options);

        assertThat(measured.calls()).isEqualTo(5 * 200);
        assertThat(measured.cpuMicrosPerCall()).isPositive();
        assertThat(measured.latencies().keySet())
                .containsExactlyElementsOf(Arrays.stream(Disturbance.values())
                        .map(Disturbance::label)
                        .toList());
        assertThat(measured.latencies().values())
                .allSatisfy(latency -> assertThat(latency.count()).isEqualTo(200));
        for (Disturbance each : Disturbance.values()) {
            assertThat(measured.extra(each.label() + " p50 ms")).isBetween(19.0, 60_000.0);
            assertThat(measured.extra(each.label() + " p99 ms"))
                    .isGreaterThanOrEqualTo(measured.extra(each.label() + " p50 ms"));
            assertThat(measured.extra(each.label() + " waits for a connection")).isBetween(0.0, 200.0);
        }
    }
}
