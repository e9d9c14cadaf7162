package io.iocluster.retry;

import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Decides whether a call is tried again, and after which wait. A call that surely did not go out may always be; one that may
 * have, only if making it twice does no harm. Immutable; for any thread, if its source of randomness is.
 *
 * <p>Waits are drawn from zero to a range that doubles with each attempt, "full jitter" in Marc Brooker, <i>Exponential
 * Backoff and Jitter</i>, AWS Architecture Blog, 2015: it spreads callers best and costs the target least. A target's own
 * {@code Retry-After} comes before it.
 */
public final class RetryPolicy {

    private final RetrySettings settings;
    private final Set<Integer> statuses;
    private final Set<ErrorCode> codes;
    private final RandomGenerator random;
    private final RetryAfter retryAfter;

    public RetryPolicy(RetrySettings settings) {
        this(settings, new CurrentThreadRandom(), Clock.systemUTC());
    }

    RetryPolicy(RetrySettings settings, RandomGenerator random, Clock clock) {
        this.settings = settings;
        this.statuses = Set.copyOf(settings.statuses());
        this.codes = Set.copyOf(settings.codes());
        this.random = random;
        this.retryAfter = new RetryAfter(clock);
    }

    /**
     * How long to wait before the next attempt, or empty if this result is the last.
     *
     * @param keyed whether the envelope has an idempotency key
     * @param result of the attempt just made
     * @param attemptsMade that one included
     * @param maxAttempts the envelope's, or 0 for the node's
     * @param millisLeft until the call's deadline; a wait that does not end before it is not worth it
     */
    public Optional<Duration> nextDelay(
            HttpRequest request, boolean keyed, HttpResult result, int attemptsMade, int maxAttempts, long millisLeft) {
        if (!isRetryable(request, keyed, result)
                || attemptsMade >= (maxAttempts == 0 ? settings.maxAttempts() : maxAttempts)) {
            return Optional.empty();
        }
        long least = result instanceof Response response ? retryAfter.delayMillis(response.headers()) : 0;
        if (least >= millisLeft) {
            return Optional.empty();
        }
        long wait = least + jitter(attemptsMade);
        return wait < millisLeft ? Optional.of(Duration.ofMillis(wait)) : Optional.empty();
    }

    /** How long a target wants to be left alone that says so with a 429 or a 503; 0 if it does not, and never too long. */
    public long pauseMillis(Response response) {
        boolean asks = response.status() == 429 || response.status() == 503;
        return asks ? Math.min(settings.maxRetryAfter().toMillis(), retryAfter.delayMillis(response.headers())) : 0;
    }

    private boolean isRetryable(HttpRequest request, boolean keyed, HttpResult result) {
        if (result instanceof Response response) {
            return response.status() >= 400
                    && statuses.contains(response.status())
                    && (request.isIdempotent() || keyed);
        }
        Failure failure = (Failure) result;
        return codes.contains(failure.code()) && (failure.sent() == SentStatus.NO || request.isIdempotent() || keyed);
    }

    private long jitter(int attemptsMade) {
        long base = settings.baseDelay().toMillis();
        long most = settings.maxDelay().toMillis();
        int doublings = attemptsMade - 1;
        long range = doublings >= 31 || base > most >> doublings ? most : base << doublings;
        return random.nextLong(range + 1);
    }

    /** Each thread's own, so that nothing is shared and nothing is locked. */
    private static final class CurrentThreadRandom implements RandomGenerator {

        @Override
        public long nextLong() {
            return ThreadLocalRandom.current().nextLong();
        }
    }
}
