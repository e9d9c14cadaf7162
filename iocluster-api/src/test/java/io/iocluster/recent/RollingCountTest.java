package io.iocluster.recent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RollingCountTest {

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    @ParameterizedTest
    @ValueSource(longs = {0, -7 * 60_000_000_000L, Long.MAX_VALUE - 5})
    void sumsTheAmountsOfTheWindow(long start) {
        RollingCount count = new RollingCount(10, Duration.ofMinutes(1), start);
        count.add(1, start);
        count.add(3, start + MINUTE);

        assertThat(count.sum(start + MINUTE)).isEqualTo(4);
        assertThat(count.sum(start + 10 * MINUTE - 1)).isEqualTo(4);
        assertThat(count.sum(start + 10 * MINUTE)).isEqualTo(3);
        assertThat(count.sum(start + 11 * MINUTE)).isZero();
    }

    @Test
    void forgetsAllAmountsWhenNothingHappenedForLong() {
        RollingCount count = new RollingCount(10, Duration.ofMinutes(1), 0);
        for (int i = 0; i < 10; i++) {
            count.add(1, i * MINUTE);
        }

        count.add(1, 1_000 * MINUTE);

        assertThat(count.sum(1_000 * MINUTE)).isEqualTo(1);
    }

    @Test
    void aWindowOfOneStepStartsAgainWithEachStep() {
        RollingCount count = new RollingCount(1, Duration.ofMinutes(1), 0);
        count.add(2, MINUTE - 1);

        assertThat(count.sum(MINUTE - 1)).isEqualTo(2);
        assertThat(count.sum(MINUTE)).isZero();
    }

    @Test
    void amountsMayBeNegative() {
        RollingCount count = new RollingCount(2, Duration.ofMinutes(1), 0);
        count.add(5, 0);
        count.add(-7, MINUTE);

        assertThat(count.sum(MINUTE)).isEqualTo(-2);
        assertThat(count.sum(2 * MINUTE)).isEqualTo(-7);
    }
}
