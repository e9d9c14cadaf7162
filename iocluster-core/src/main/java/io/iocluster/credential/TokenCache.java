package io.iocluster.credential;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches the token of one credential for all workers. Thread-safe; never blocks. Fetches one token for all waiting
 * attempts, refreshes it before it expires, and waits after a failed fetch.
 */
final class TokenCache {

    /** A fetch ends by its own timeout unless its event loop died. After this extra time another fetch may start. */
    private static final long LOST_FETCH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(TokenCache.class);

    private final OAuth2Settings settings;
    private final LongSupplier clock;

    /** The current token; null if none was fetched yet or a target refused it. */
    @GuardedBy("this")
    private TokenResult token;

    @GuardedBy("this")
    private long tokenNanos;

    /** Whether the token was fetched because a target refused the previous one. */
    @GuardedBy("this")
    private boolean replacesRefused;

    /** The failure of the last fetch; null if it succeeded. */
    @GuardedBy("this")
    private TokenResult failure;

    @GuardedBy("this")
    private long failureNanos;

    @GuardedBy("this")
    private CompletableFuture<TokenResult> fetching;

    @GuardedBy("this")
    private long fetchingNanos;

    @GuardedBy("this")
    private boolean refused;

    TokenCache(OAuth2Settings settings, LongSupplier clock) {
        this.settings = settings;
        this.clock = clock;
    }

    OAuth2Settings settings() {
        return settings;
    }

    /**
     * Returns the token, or why there is none.
     *
     * @param fetch starts one fetch, which ends within its timeout; called only if no other fetch is running
     * @return complete already, or completes on the thread that ends the fetch; never completes if that thread is dead
     */
    CompletionStage<TokenResult> get(Supplier<CompletionStage<TokenResult>> fetch) {
        CompletableFuture<TokenResult> started = new CompletableFuture<>();
        CompletionStage<TokenResult> answer;
        synchronized (this) {
            long now = clock.getAsLong();
            TokenResult current = tokenOrFailure(now);
            boolean fetchRunning = isFetching(now);
            if (current != null && (fetchRunning || !isDue(current, now))) {
                return CompletableFuture.completedStage(current);
            }
            if (fetchRunning) {
                return fetching;
            }
            fetching = started;
            fetchingNanos = now;
            answer = current == null ? started : CompletableFuture.completedStage(current);
        }
        try {
            fetch.get().whenComplete((fetched, bug) -> fetchEnded(started, bug == null ? fetched : failureFor(bug)));
        } catch (Throwable bug) {
            fetchEnded(started, failureFor(bug));
        }
        return answer;
    }

    private static TokenResult failureFor(Throwable bug) {
        LOG.error("Token request failed because of a defect", bug);
        return TokenResult.failure("a defect");
    }

    /** Returns a valid token or a recent failure, or null if there is neither. */
    @GuardedBy("this")
    private TokenResult tokenOrFailure(long now) {
        if (token != null && now - tokenNanos < token.lifetimeNanos()) {
            return token;
        }
        return isBackingOff(now) ? failure : null;
    }

    @GuardedBy("this")
    private boolean isBackingOff(long now) {
        return failure != null && now - failureNanos < settings.failureBackoff().toNanos();
    }

    @GuardedBy("this")
    private boolean isFetching(long now) {
        return fetching != null && now - fetchingNanos < settings.timeout().toNanos() + LOST_FETCH_NANOS;
    }

    /** Returns whether it is time to refresh the token. */
    @GuardedBy("this")
    private boolean isDue(TokenResult current, long now) {
        long ahead = Math.min(settings.refreshAhead().toNanos(), current.lifetimeNanos() / 2);
        return current.isPresent() && now - tokenNanos >= current.lifetimeNanos() - ahead && !isBackingOff(now);
    }

    private void fetchEnded(CompletableFuture<TokenResult> started, TokenResult fetched) {
        synchronized (this) {
            if (fetched.isPresent()) {
                token = fetched;
                tokenNanos = clock.getAsLong();
                replacesRefused = refused;
                refused = false;
                failure = null;
            } else {
                failure = fetched;
                failureNanos = clock.getAsLong();
            }
            if (fetching == started) {
                fetching = null;
            }
        }
        started.complete(fetched);
    }

    /**
     * Drops a token that a target refused.
     *
     * @return whether to try a new token; false if this one was fetched a moment ago because the previous one was
     *     refused
     */
    synchronized boolean invalidate(TokenResult used) {
        if (!used.equals(token)) {
            return true;
        }
        if (replacesRefused
                && clock.getAsLong() - tokenNanos < settings.failureBackoff().toNanos()) {
            return false;
        }
        token = null;
        refused = true;
        return true;
    }
}
