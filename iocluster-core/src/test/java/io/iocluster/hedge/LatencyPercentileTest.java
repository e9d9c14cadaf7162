package io.iocluster.hedge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatencyPercentileTest {

    private final LatencyPercentile p95 = new LatencyPercentile(95);

    @Test
    void hasNoEstimateBeforeThereAreEnoughDurations() {
        record(LatencyPercentile.MIN_SAMPLES - 1, 20);

        assertThat(p95.nanos()).isNegative();
    }

    @Test
    void isAtMostAnEighthTooHighAndNeverTooLow() {
        for (int millis = 1; millis <= 1_000; millis++) {
            record(1, millis);
        }

        assertThat(p95.nanos()).isBetween(millis(950), millis(950) * 9 / 8);
    }

    @Test
    void ignoresTheSlowestTwoPercent() {
        for (int i = 0; i < 1_000; i++) {
            record(1, i % 50 == 0 ? 2_000 : 20);
        }

        assertThat(p95.nanos()).isBetween(millis(20), millis(20) * 9 / 8);
    }

    @Test
    void forgetsOldDurations() {
        record(1_000, 20);
        record(2_000, 300);

        assertThat(p95.nanos()).isBetween(millis(300), millis(300) * 9 / 8);
    }

    @Test
    void acceptsDurationsOfAnyLength() {
        for (int i = 0; i < 50; i++) {
            p95.record(0);
            p95.record(Long.MAX_VALUE);
        }

        assertThat(p95.nanos()).isGreaterThan(TimeUnit.HOURS.toNanos(1));
    }

    private void record(int times, long millis) {
        for (int i = 0; i < times; i++) {
            p95.record(millis(millis));
        }
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
