package io.iocluster.destination.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.settings.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimitTest {

    private static final Rate TWO_HUNDRED_A_SECOND = Rate.parse("200/s");

    private long nanos = Long.MAX_VALUE - 1;
    private RateLimit limit;

    @Test
    void letsAsManyAttemptsStartAsItsRateAllows() {
        limit = limit(TWO_HUNDRED_A_SECOND, 1);

        assertThat(startedWithin(Duration.ofSeconds(10))).isBetween(1_990, 2_010);
    }

    @Test
    void dividesARateByNodesWithoutRounding() {
        limit = limit(TWO_HUNDRED_A_SECOND, 3);
        assertThat(startedWithin(Duration.ofSeconds(60))).isBetween(3_990, 4_010);

        limit = limit(Rate.parse("1/s"), 4);
        assertThat(startedWithin(Duration.ofSeconds(400))).isBetween(100, 101);

        limit = limit(Rate.parse("1/h"), 1_000);
        assertThat(startedWithin(Duration.ofHours(500))).isOne();
    }

    @Test
    void takesALargeRateOfManyNodes() {
        limit = limit(Rate.parse("999999999/h"), 1_000);

        assertThat(startedWithin(Duration.ofSeconds(10))).isBetween(2_760, 2_800);
    }

    @Test
    void changesOfTheNumberOfNodesAddNoAttempts() {
        limit = limit(Rate.parse("60/h"), 2);
        int started = 0;
        for (int i = 0; i < 600; i++) {
            started += startedWithin(Duration.ofSeconds(60));
            limit = limit.dividedBy(i % 2 == 0 ? 3 : 2, nanos);
        }

        // Ten hours, half of them with two nodes and half with three.
        assertThat(started).isBetween(245, 251);
    }

    @Test
    void changesFasterThanTheRateDelayNoAttemptForEver() {
        limit = limit(Rate.parse("6/h"), 2);
        int started = 0;
        for (int i = 0; i < 3_600; i++) {
            started += startedWithin(Duration.ofSeconds(10));
            limit = limit.dividedBy(i % 2 == 0 ? 3 : 2, nanos);
        }

        assertThat(started).isBetween(24, 26);
    }

    @Test
    void anUnlimitedRateStaysUnlimited() {
        limit = limit(Rate.UNLIMITED, 1).dividedBy(4, nanos);

        assertThat(limit.tryReserve(nanos)).isTrue();
        limit.consumeReservation();
        assertThat(limit.tryReserve(nanos)).isTrue();
    }

    private RateLimit limit(Rate rate, int nodes) {
        return new RateLimit("partner", rate, nodes, () -> nanos);
    }

    /** Starts attempts as soon as the limit allows, for this time, and returns their number. */
    private int startedWithin(Duration time) {
        long step = Math.max(Duration.ofMillis(1).toNanos(), time.toNanos() / 20_000);
        int started = 0;
        for (long passed = 0; passed < time.toNanos(); passed += step) {
            while (limit.tryReserve(nanos)) {
                limit.consumeReservation();
                started++;
            }
            nanos += step;
        }
        return started;
    }
}
