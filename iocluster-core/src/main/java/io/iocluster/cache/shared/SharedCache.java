package io.iocluster.cache.shared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.cache.CacheKey;
import io.iocluster.cache.CacheKeys;
import io.iocluster.cache.StoredResponse;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The cache that nodes share. A dead or slow store costs hits and nothing else: no call fails, no call waits longer than the timeout, and
 * none waits while the breaker is open. No method blocks. Thread-safe.
 */
public final class SharedCache implements AutoCloseable {

    private final SharedStore.Factory stores;
    private final Platform platform;
    private final SharedCacheCounters counters = new SharedCacheCounters();

    @GuardedBy("this")
    private byte[] generation;

    @GuardedBy("this")
    private SharedCacheSettings settings = SharedCacheSettings.DEFAULTS;

    /** Null if nodes share no cache. Changed only with the lock. */
    private volatile SharedSession session;

    /**
     * Creates a cache that is not used before {@link #applySettings}.
     *
     * @param platform the clocks and the timer of the timeouts
     */
    public SharedCache(SharedStore.Factory stores, Platform platform) {
        this.stores = stores;
        this.platform = platform;
    }

    /**
     * Applies settings. A change opens another connection.
     *
     * @param nextGeneration the hash of the settings that stored responses depend on; responses of other ones are never found
     */
    public synchronized void applySettings(SharedCacheSettings next, byte[] nextGeneration) {
        if (next.equals(settings) && Arrays.equals(nextGeneration, generation)) {
            return;
        }
        SharedSession before = session;
        settings = next;
        generation = nextGeneration.clone();
        session = next.isConfigured() ? new SharedSession(next, generation, stores, counters, platform) : null;
        if (before != null) {
            before.close();
        }
    }

    /** Closes the connection, so that nothing is found any more until {@link #applySettings} opens another one. */
    public void disconnect() {
        applySettings(SharedCacheSettings.DEFAULTS, new byte[0]);
    }

    /** Returns whether nodes share a cache. */
    public boolean isUsable() {
        return session != null;
    }

    /** Reserves a lookup. Returns null if none may start now, or nodes must not share the response to this request. */
    public SharedLookup reserve(SharedRequest request) {
        SharedSession current = session;
        return current != null && mayShare(current, request) && current.tryReserve()
                ? new SharedLookup(current, request, platform)
                : null;
    }

    /** Without the nodes' secret, someone who reads the store could try out the secrets of a request. */
    private static boolean mayShare(SharedSession current, SharedRequest request) {
        return !current.settings().hmacKey().isEmpty()
                || !CacheKeys.hasSecret(request.local().request());
    }

    /** Writes a response in the background. */
    public void store(SharedRequest request, StoredResponse stored) {
        SharedSession current = session;
        long now = platform.nanos();
        Duration ttl = Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(stored.endNanos() - now));
        if (current == null || !mayShare(current, request) || ttl.isNegative() || ttl.isZero()) {
            return;
        }
        CacheKey primary = request.everywhere().key();
        if (stored.varying().isEmpty()) {
            write(current, request, primary, toShare(stored, now), ttl);
        } else {
            write(current, request, primary, new SharedEntry.Varying(stored.varying()), ttl);
            CacheKey variant = CacheKeys.variant(request.everywhere(), stored.varying());
            write(current, request, variant, toShare(stored, now), ttl);
        }
    }

    private SharedEntry toShare(StoredResponse stored, long now) {
        long sinceReceived = TimeUnit.NANOSECONDS.toMillis(now - stored.receivedNanos());
        long delay = TimeUnit.NANOSECONDS.toMillis(stored.receivedNanos() - stored.requestedNanos());
        Response response = new Response(stored.status(), stored.headers(), stored.body(), false, AttemptTiming.NONE);
        return new SharedEntry.Stored(response, platform.wallMillis() - sinceReceived, Math.max(0, delay));
    }

    private static void write(
            SharedSession current, SharedRequest request, CacheKey cacheKey, SharedEntry entry, Duration ttl) {
        byte[] key = current.key().of(request.destination(), cacheKey);
        byte[] value = current.canWrite() ? current.codec().encode(key, entry) : null;
        if (value == null) {
            current.counters().count(SharedWriteResult.SKIPPED);
            return;
        }
        current.write(value.length, () -> current.store().write(key, value, ttl));
    }

    /** Removes the response to a request in the background, because the target has a newer one that must not be stored. */
    public void remove(SharedRequest request) {
        SharedSession current = session;
        if (current != null && mayShare(current, request)) {
            byte[] key =
                    current.key().of(request.destination(), request.everywhere().key());
            current.write(key.length, () -> current.store().remove(key));
        }
    }

    /** Returns a snapshot; empty if nodes share no cache. */
    public Optional<SharedCacheStatus> status() {
        SharedSession current = session;
        return Optional.ofNullable(current).map(SharedSession::status);
    }

    /** Closes the connection. The cache is not used afterwards. */
    @Override
    public synchronized void close() {
        SharedSession before = session;
        session = null;
        if (before != null) {
            before.close();
        }
    }
}
