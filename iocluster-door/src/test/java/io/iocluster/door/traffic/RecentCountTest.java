package io.iocluster.door.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentCountTest {

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    @ParameterizedTest
    @ValueSource(longs = {0, -7 * 60_000_000_000L, Long.MAX_VALUE / 2})
    void countsTheEventsOfTheLastTenMinutes(long start) {
        RecentCount count = new RecentCount(start);
        count.add(start);
        count.add(start + MINUTE);

        assertThat(count.sum(start + MINUTE)).isEqualTo(2);
        assertThat(count.sum(start + 9 * MINUTE)).isEqualTo(2);
        assertThat(count.sum(start + 10 * MINUTE)).isEqualTo(1);
        assertThat(count.sum(start + 11 * MINUTE)).isZero();
    }

    @Test
    void forgetsAllEventsWhenNothingHappenedForLong() {
        RecentCount count = new RecentCount(0);
        for (int i = 0; i < 10; i++) {
            count.add(i * MINUTE);
        }

        count.add(1_000 * MINUTE);

        assertThat(count.sum(1_000 * MINUTE)).isEqualTo(1);
    }
}
