package io.iocluster.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {

    /** The clock overflows during the tests, as {@code nanoTime} may. */
    private static final long START = Long.MAX_VALUE - 5;

    @Test
    void allowsAPercentageOfTheCalls() {
        RetryBudget budget = new RetryBudget(new RetryBudgetSettings(10, 0), START);
        for (int i = 0; i < 105; i++) {
            budget.recordCall(START);
        }

        assertThat(retriesAllowed(budget, START)).isEqualTo(10);
    }

    @Test
    void allowsTheMinimumOfTenSecondsAtOnceWithoutCalls() {
        RetryBudget budget = new RetryBudget(new RetryBudgetSettings(0, 3), START);

        assertThat(retriesAllowed(budget, START)).isEqualTo(30);
        assertThat(retriesAllowed(budget, START + seconds(9))).isZero();
        assertThat(retriesAllowed(budget, START + seconds(10))).isEqualTo(30);
    }

    @Test
    void ignoresCallsOlderThanTenSeconds() {
        RetryBudget budget = new RetryBudget(new RetryBudgetSettings(100, 0), START);
        budget.recordCall(START);
        budget.recordCall(START + seconds(5));

        assertThat(retriesAllowed(budget, START + seconds(11))).isEqualTo(1);
        budget.recordCall(START + seconds(12));
        assertThat(retriesAllowed(budget, START + seconds(1_000))).isZero();
    }

    private static int retriesAllowed(RetryBudget budget, long now) {
        int allowed = 0;
        while (allowed < 1_000 && budget.tryRetry(now)) {
            allowed++;
        }
        return allowed;
    }

    private static long seconds(int count) {
        return Duration.ofSeconds(count).toNanos();
    }
}
