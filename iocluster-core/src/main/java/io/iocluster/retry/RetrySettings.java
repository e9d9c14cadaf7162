package io.iocluster.retry;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.List;

/** Decides which failed attempts are retried, and after which delay. */
public record RetrySettings(
        @Setting(
                value = "3",
                doc = "Attempts for one call, the first included, if the envelope has no `retry.maxAttempts`. 1: no"
                        + " retries.")
        int maxAttempts,

        @Setting(
                value = "100ms",
                doc = "Maximum of the random delay before the second attempt. It doubles with each further attempt.")
        Duration baseDelay,

        @Setting(value = "10s", doc = "Maximum of the random delay.")
        Duration maxDelay,

        @Setting(
                value = "30s",
                doc = "A longer wait is spent [in the broker](destinations.md#delayed-retries), if `kafka.delayed` or"
                        + " `rabbit.delayed` is enabled and has a tier for it.")
        Duration delayedAfter,

        @Setting(
                value = "[429, 502, 503, 504]",
                doc = "HTTP statuses that are retried if the method is idempotent or the envelope has an"
                        + " `idempotencyKey`.")
        List<Integer> statuses,

        @Setting(
                value = "[dns-failed, connect-timeout, connect-refused, connect-failed, proxy-failed, tls,"
                        + " timeout, connection-closed, protocol-error, credential-unavailable, out-of-memory-budget]",
                doc = "Error codes that are retried if the request was certainly not sent, the method is idempotent,"
                        + " or the envelope has an `idempotencyKey`.")
        List<ErrorCode> codes,

        @Setting(
                value = "false",
                doc = "Whether answers that are not [usable](destinations.md#usable-answers) are retried, if the"
                        + " method is idempotent or the envelope has an `idempotencyKey`.")
        boolean unusableAnswers,

        @Setting(value = "30s", doc = "Longest pause of the calls to a target because of its `Retry-After`.")
        Duration maxRetryAfter,

        @Setting(doc = "Limits the retries at a destination.")
        RetryBudgetSettings budget) {

    /** Values for keys that are not configured. */
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
            false,
            Duration.ofSeconds(30),
            RetryBudgetSettings.DEFAULTS);

    public RetrySettings {
        statuses = List.copyOf(statuses);
        codes = List.copyOf(codes);
        SettingsValidator validator = new SettingsValidator()
                .checkRange("max-attempts", maxAttempts, 1, 100)
                .checkPositive("base-delay", baseDelay)
                .check(maxDelay.compareTo(baseDelay) >= 0, "max-delay", "must not be below base-delay")
                .checkNotNegative("delayed-after", delayedAfter)
                .checkNotNegative("max-retry-after", maxRetryAfter)
                .check(
                        maxRetryAfter.toDays() < 1,
                        "max-retry-after",
                        "must be below 1d: " + DurationText.format(maxRetryAfter));
        validator.checkEach("statuses", statuses, (key, status) -> validator.checkRange(key, status, 400, 599));
        validator.checkEach(
                "codes",
                codes,
                (key, code) -> validator.check(
                        code.outcome() == Outcome.FAILED,
                        key,
                        "must be an error code with the outcome failed: " + code.wireName()));
        validator.throwIfInvalid();
    }

    /** Returns a copy with other attempts and delays. */
    public RetrySettings withAttempts(int newMaxAttempts, Duration newBaseDelay, Duration newMaxDelay) {
        return new RetrySettings(
                newMaxAttempts,
                newBaseDelay,
                newMaxDelay,
                delayedAfter,
                statuses,
                codes,
                unusableAnswers,
                maxRetryAfter,
                budget);
    }
}
