package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SiblingsScenarioTest {

    private final StringWriter printed = new StringWriter();

    @Test
    void meetsTheTargetIfTheMedianOfTheRoundsDoes() {
        assertThat(meetsTargets(measured(1, 21), measured(2, 60), measured(3, 20)))
                .isTrue();
        assertThat(printed.toString())
                .contains(
                        "beside ordinary calls: p50 20.00 ms",
                        "alone: p50 20.00 ms, p99 20.00 ms; waited 3 times",
                        "beside timeouts ÷ beside ordinary calls, p99: 1.050; at most 1.05: met");
    }

    @Test
    void missesTheTargetIfSiblingsWait() {
        assertThat(meetsTargets(measured(1, 22))).isFalse();
        assertThat(printed.toString())
                .contains(
                        "beside cancelled calls ÷ beside ordinary calls, p99: 1.000; at most 1.05: met",
                        "beside timeouts ÷ beside ordinary calls, p99: 1.100; at most 1.05: missed");
    }

    @Test
    void printsNothingWithoutMeasurements() {
        assertThat(meetsTargets()).isTrue();
        assertThat(printed.toString()).isEmpty();
    }

    private boolean meetsTargets(Measurement... all) {
        return new SiblingsScenario().checkTargets(List.of(all), new PrintWriter(printed));
    }

    private static Measurement measured(int round, double besideTimeouts) {
        Measurement one = new Measurement(Subject.NODE, round, 20_000, 1_000, 50, 1 << 20, 0);
        for (Disturbance each : Disturbance.values()) {
            double p99 = each == Disturbance.TIMED_OUT ? besideTimeouts : 20;
            one.extras()
                    .putAll(Map.of(
                            each.label() + " p50 ms",
                            20.0,
                            each.label() + " p99 ms",
                            p99,
                            each.label() + " waits for a connection",
                            1.0));
        }
        return one;
    }
}
