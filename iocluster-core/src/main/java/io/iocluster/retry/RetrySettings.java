package io.iocluster.retry;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.List;

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
        Duration maxDelay,

        @Setting(
                value = "30s",
                doc = "A wait longer than this, be it by `max-delay` or by a target's `Retry-After`, is spent with the"
                        + " broker, where `kafka.delayed` or `rabbit.delayed` is enabled and has a tier for it; otherwise"
                        + " in the node like any other.")
        Duration delayedAfter,

        @Setting(
                value = "[429, 502, 503, 504]",
                doc = "Answers that are asked for again, where doing so does no harm: the method is idempotent or the"
                        + " envelope has an `idempotencyKey`.")
        List<Integer> statuses,

        @Setting(
                value = "[dns-failed, connect-timeout, connect-refused, connect-failed, proxy-failed, tls,"
                        + " timeout, connection-closed, protocol-error, credential-unavailable, out-of-memory-budget]",
                doc = "Failures after which a call is made again, where doing so does no harm, or where it surely was"
                        + " not sent.")
        List<ErrorCode> codes,

        @Setting(
                value = "30s",
                doc = "Longest that a target's own `Retry-After` pauses calls to it, whatever it asks for.")
        Duration maxRetryAfter,

        @Setting(doc = "What retries may cost a destination.")
        RetryBudgetSettings budget) {

    /** What holds where the configuration says nothing. */
    public static final RetrySettings DEFAULTS = new RetrySettings(
            3,
            Duration.ofMillis(100),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            List.of(429, 502, 503, 504),
            List.of(
                    ErrorCode.DNS_FAILED,
                    ErrorCode.CONNECT_TIMEOUT,
                    ErrorCode.CONNECT_REFUSED,
                    ErrorCode.CONNECT_FAILED,
                    ErrorCode.PROXY_FAILED,
                    ErrorCode.TLS,
                    ErrorCode.TIMEOUT,
                    ErrorCode.CONNECTION_CLOSED,
                    ErrorCode.PROTOCOL_ERROR,
                    ErrorCode.CREDENTIAL_UNAVAILABLE,
                    ErrorCode.OUT_OF_MEMORY_BUDGET),
            Duration.ofSeconds(30),
            RetryBudgetSettings.DEFAULTS);

    public RetrySettings {
        statuses = List.copyOf(statuses);
        codes = List.copyOf(codes);
        SettingsValidator mistakes = new SettingsValidator()
                .checkRange("max-attempts", maxAttempts, 1, 100)
                .checkPositive("base-delay", baseDelay)
                .check(maxDelay.compareTo(baseDelay) >= 0, "max-delay", "must not be below base-delay")
                .checkNotNegative("delayed-after", delayedAfter)
                .checkNotNegative("max-retry-after", maxRetryAfter)
                .check(
                        maxRetryAfter.toDays() < 1,
                        "max-retry-after",
                        "must be below 1d: " + DurationText.format(maxRetryAfter));
        mistakes.checkEach("statuses", statuses, (key, status) -> mistakes.checkRange(key, status, 400, 599));
        mistakes.checkEach(
                "codes",
                codes,
                (key, code) -> mistakes.check(
                        code.outcome() == Outcome.FAILED,
                        key,
                        "must be the code of a call that failed: " + code.wireName()));
        mistakes.throwIfInvalid();
    }

    /** The same settings with other attempts and waits. */
    public RetrySettings withAttempts(int attempts, Duration base, Duration most) {
        return new RetrySettings(attempts, base, most, delayedAfter, statuses, codes, maxRetryAfter, budget);
    }
}
