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
 * One credential's token, shared by all workers: fetched once for all who wait for it, ahead of its end while it is still
 * used, and not again for a while after a fetch that failed. For any thread; waits for nothing.
 */
final class TokenCache {

    /** A fetch ends by its own timeout, unless the loop that made it is dead; so much later another may begin. */
    private static final long LOST_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(TokenCache.class);

    private final OAuth2Settings settings;
    private final LongSupplier clock;

    /** The last one that was fetched; null if there is none, or a target refused it. */
    @GuardedBy("this")
    private TokenResult token;

    @GuardedBy("this")
    private long tokenNanos;

    /** Whether it was fetched because the one before was refused. */
    @GuardedBy("this")
    private boolean secondTry;

    /** What the last fetch came to, if that was no token. */
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
     * The token, or why there is none.
     *
     * @param fetch makes one fetch, which ends within its timeout; called by one only of those who ask at the same time
     * @return completes on the thread that the fetch ends on, or has completed already; never, if that thread is dead
     */
    CompletionStage<TokenResult> get(Supplier<CompletionStage<TokenResult>> fetch) {
        CompletableFuture<TokenResult> begun = new CompletableFuture<>();
        CompletionStage<TokenResult> answer;
        synchronized (this) {
            long now = clock.getAsLong();
            TokenResult known = now(now);
            boolean underWay = isUnderWay(now);
            if (known != null && (underWay || !isDue(known, now))) {
                return CompletableFuture.completedStage(known);
            }
            if (underWay) {
                return fetching;
            }
            fetching = begun;
            fetchingNanos = now;
            answer = known == null ? begun : CompletableFuture.completedStage(known);
        }
        try {
            fetch.get().whenComplete((fetched, bug) -> ended(begun, bug == null ? fetched : defect(bug)));
        } catch (Throwable bug) {
            ended(begun, defect(bug));
        }
        return answer;
    }

    private static TokenResult defect(Throwable bug) {
        LOG.error("Token fetch failed because of a defect", bug);
        return TokenResult.failure("a defect");
    }

    /** What can be said at once: a token that lives, or a failure that is young. */
    @GuardedBy("this")
    private TokenResult now(long now) {
        if (token != null && now - tokenNanos < token.lifetimeNanos()) {
            return token;
        }
        return isPausing(now) ? failure : null;
    }

    @GuardedBy("this")
    private boolean isPausing(long now) {
        return failure != null && now - failureNanos < settings.failureBackoff().toNanos();
    }

    @GuardedBy("this")
    private boolean isUnderWay(long now) {
        return fetching != null && now - fetchingNanos < settings.timeout().toNanos() + LOST_AFTER_NANOS;
    }

    /** Whether it is time for the next one. */
    @GuardedBy("this")
    private boolean isDue(TokenResult known, long now) {
        long ahead = Math.min(settings.refreshAhead().toNanos(), known.lifetimeNanos() / 2);
        return known.isPresent() && now - tokenNanos >= known.lifetimeNanos() - ahead && !isPausing(now);
    }

    private void ended(CompletableFuture<TokenResult> begun, TokenResult fetched) {
        synchronized (this) {
            if (fetched.isPresent()) {
                token = fetched;
                tokenNanos = clock.getAsLong();
                secondTry = refused;
                refused = false;
                failure = null;
            } else {
                failure = fetched;
                failureNanos = clock.getAsLong();
            }
            if (fetching == begun) {
                fetching = null;
            }
        }
        begun.complete(fetched);
    }

    /**
     * A target did not take this token.
     *
     * @return whether another may do better: not if this one was fetched a moment ago, after the one before was refused
     */
    synchronized boolean invalidate(TokenResult used) {
        if (!used.equals(token)) {
            return true;
        }
        if (secondTry
                && clock.getAsLong() - tokenNanos < settings.failureBackoff().toNanos()) {
            return false;
        }
        token = null;
        refused = true;
        return true;
    }
}
