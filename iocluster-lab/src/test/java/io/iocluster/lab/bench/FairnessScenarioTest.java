package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FairnessScenarioTest {

    private final StringWriter printed = new StringWriter();

    @Test
    void meetsTheTargetIfTheMedianOfTheRoundsDoes() {
        assertThat(meetsTargets(measured(1, 130), measured(2, 500), measured(3, 110)))
                .isTrue();
        assertThat(printed.toString()).contains("p50 ms: 1.050", "p99 ms: 1.300; at most 1.3: met");
    }

    @Test
    void missesTheTargetIfGoodCallsWait() {
        assertThat(meetsTargets(measured(1, 131))).isFalse();
        assertThat(printed.toString()).contains("p99 ms: 1.310; at most 1.3: missed");
    }

    @Test
    void printsNothingWithoutMeasurements() {
        assertThat(meetsTargets()).isTrue();
        assertThat(printed.toString()).isEmpty();
    }

    private boolean meetsTargets(Measurement... all) {
        return new FairnessScenario().checkTargets(List.of(all), new PrintWriter(printed));
    }

    private static Measurement measured(int round, double p99) {
        Measurement one = new Measurement(Subject.NODE, round, 20_000, 1_000, 50, 1 << 20, 0);
        one.extras().putAll(Map.of("alone p50 ms", 100.0, "alone p99 ms", 100.0, "p50 ms", 105.0, "p99 ms", p99));
        return one;
    }
}
