package io.iocluster.retry;

import io.iocluster.settings.Mistakes;
import io.iocluster.settings.Setting;
import java.time.Duration;

/** When a failed attempt is made again, and how long after. */
public record RetrySettings(
        @Setting(
                value = "3",
                doc = "Most attempts at one call, the first included, where the envelope gives no"
                        + " `retry.maxAttempts`; 1 turns retries off.")
        int maxAttempts,

        @Setting(
                value = "100ms",
                doc = "The wait before the second attempt is drawn from zero to this; each further one doubles"
                        + " the range.")
        Duration baseDelay,

        @Setting(value = "10s", doc = "The range of the wait never grows beyond this.")
        Duration maxDelay) {

    /** What holds where the configuration says nothing. */
    public static final RetrySettings DEFAULTS = new RetrySettings(3, Duration.ofMillis(100), Duration.ofSeconds(10));

    public RetrySettings {
        new Mistakes()
                .between("max-attempts", maxAttempts, 1, 100)
                .positive("base-delay", baseDelay)
                .check(maxDelay.compareTo(baseDelay) >= 0, "max-delay", "must not be below base-delay")
                .raise();
    }
}
