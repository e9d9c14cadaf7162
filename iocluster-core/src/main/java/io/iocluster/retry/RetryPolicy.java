package io.iocluster.retry;

import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.ErrorCode;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Decides whether a call is retried, and after which delay. A request that was certainly not sent can always be
 * retried. One that may have been sent is retried only if the method is idempotent or the envelope has an idempotency
 * key. Immutable; thread-safe if the source of randomness is.
 *
 * <p>The delay is random between zero and a maximum that doubles with each attempt: "full jitter" in Marc Brooker,
 * <i>Exponential Backoff and Jitter</i>, AWS Architecture Blog, 2015, which spreads callers best and costs the target
 * least. The target's {@code Retry-After} is added to it.
 */
public final class RetryPolicy {

    private final RetrySettings settings;
    private final Set<Integer> statuses;
    private final Set<ErrorCode> codes;
    private final RandomGenerator random;
    private final RetryAfter retryAfter;

    /**
     * Creates a policy.
     *
     * @param random the jitter of the delays
     * @param clock the wall clock that a date in {@code Retry-After} is compared with
     */
    public RetryPolicy(RetrySettings settings, RandomGenerator random, NodeClock clock) {
        this.settings = settings;
        this.statuses = Set.copyOf(settings.statuses());
        this.codes = Set.copyOf(settings.codes());
        this.random = random;
        this.retryAfter = new RetryAfter(clock);
    }

    /**
     * Returns the delay before the next attempt, or empty if the call is not retried.
     *
     * @param keyed whether the envelope has an idempotency key
     * @param result the result of the last attempt
     * @param attemptsMade includes the last attempt
     * @param maxAttempts the envelope's limit, or 0 for the node's
     * @param millisLeft until the call's deadline; a delay that does not end before it means no retry
     */
    public Optional<Duration> nextDelay(
            HttpRequest request, boolean keyed, HttpResult result, int attemptsMade, int maxAttempts, long millisLeft) {
        if (!isRetryable(request, keyed, result) || !hasAttemptLeft(attemptsMade, maxAttempts)) {
            return Optional.empty();
        }
        long retryAfterMillis = result instanceof Response response ? retryAfter.delayMillis(response.headers()) : 0;
        if (retryAfterMillis >= millisLeft) {
            return Optional.empty();
        }
        long wait = retryAfterMillis + jitter(attemptsMade);
        return wait < millisLeft ? Optional.of(Duration.ofMillis(wait)) : Optional.empty();
    }

    /**
     * Returns whether a call may get a second attempt while the first one runs: whether it may be sent twice and has an attempt left.
     *
     * @param keyed whether the envelope has an idempotency key
     * @param attemptsMade includes the attempt that runs
     * @param maxAttempts the envelope's limit, or 0 for the node's
     */
    public boolean allowsHedge(HttpRequest request, boolean keyed, int attemptsMade, int maxAttempts) {
        return isRepeatable(request, keyed) && hasAttemptLeft(attemptsMade, maxAttempts);
    }

    /**
     * Returns how long to pause all calls to the target: the {@code Retry-After} of a 429 or a 503, at most {@link
     * RetrySettings#maxRetryAfter}, or 0.
     */
    public long pauseMillis(Response response) {
        boolean asksForPause = response.status() == 429 || response.status() == 503;
        return asksForPause
                ? Math.min(settings.maxRetryAfter().toMillis(), retryAfter.delayMillis(response.headers()))
                : 0;
    }

    private boolean isRetryable(HttpRequest request, boolean keyed, HttpResult result) {
        if (result instanceof Response response) {
            return (isRetryableStatus(response.status()) || isRetryableAsUnusable(response))
                    && isRepeatable(request, keyed);
        }
        Failure failure = (Failure) result;
        return codes.contains(failure.code()) && (failure.certainty().isUnprocessed() || isRepeatable(request, keyed));
    }

    /** Returns whether a request that the target may have seen can be sent again. */
    private static boolean isRepeatable(HttpRequest request, boolean keyed) {
        return request.isIdempotent() || keyed;
    }

    private boolean hasAttemptLeft(int attemptsMade, int maxAttempts) {
        return attemptsMade < (maxAttempts == 0 ? settings.maxAttempts() : maxAttempts);
    }

    private boolean isRetryableStatus(int status) {
        return status >= 400 && statuses.contains(status);
    }

    private boolean isRetryableAsUnusable(Response response) {
        return settings.unusableAnswers() && response.usability().isUnusable();
    }

    private long jitter(int attemptsMade) {
        long base = settings.baseDelay().toMillis();
        long max = settings.maxDelay().toMillis();
        int doublings = attemptsMade - 1;
        long bound = doublings >= 31 || base > max >> doublings ? max : base << doublings;
        return random.nextLong(bound + 1);
    }
}
