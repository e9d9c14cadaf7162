package io.iocluster.node.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyTrendTest {

    private final LatencyTrend trend = new LatencyTrend(3, 0.1);

    @ParameterizedTest
    @CsvSource({
        "too few windows, '', false",
        "no window before the latest ones, '90 80 70', false",
        "still falling, '90 80 70 60 50 40', false",
        "the same, '50 50 50 50', true",
        "a smaller improvement, '50 49 48 47 46', true",
        "rising, '50 60 70 80', true",
        "one better window of the latest, '50 50 44 50', false",
        "the better window is not among the latest any more, '50 50 44 50 50 50', true",
        "noise around the best, '90 60 40 42 39 41', true",
    })
    void isFlatIfNoneOfTheLatestWindowsIsAnImprovement(String when, String latencies, boolean flat) {
        for (String latency : latencies.split(" ", -1)) {
            if (!latency.isEmpty()) {
                trend.add(Long.parseLong(latency));
            }
        }

        assertThat(trend.isFlat()).as(when).isEqualTo(flat);
    }
}
