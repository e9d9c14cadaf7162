package io.iocluster.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Scheduler;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult.Response;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The stored responses of one destination, within a limit of bytes. Keeps those that are used most (W-TinyLFU). Thread-safe.
 */
public final class ResponseStore {

    /** The limit divided by this is the maximum size of a response, because a larger one would evict too many others. */
    private static final int MAX_PART = 4;

    /** A power of two. Resources that share a slot are invalidated together, which costs only attempts. */
    private static final int RESOURCE_SLOTS = 4_096;

    /** How much the clocks of two nodes may differ. */
    private static final long MAX_CLOCK_DIFFERENCE_MILLIS = 5_000;

    private final LongSupplier nanos;
    private final LongSupplier wallMillis;
    private final long startNanos;
    private final Cache<CacheKey, CacheEntry> entries;
    private final Policy.Eviction<CacheKey, CacheEntry> limit;
    private final LongAdder evictions = new LongAdder();

    /** When a call last changed each resource, in nanoseconds since the start; 0 if none did. */
    private final AtomicLongArray changedNanos = new AtomicLongArray(RESOURCE_SLOTS);

    /** When the store was last cleared, in nanoseconds since the start; the smallest number if it never was. */
    private volatile long clearedNanos = Long.MIN_VALUE;

    /**
     * Creates an empty store.
     *
     * @param nanos the node's monotonic clock
     * @param wallMillis the node's wall clock
     */
    public ResponseStore(long maxBytes, LongSupplier nanos, LongSupplier wallMillis) {
        this.nanos = nanos;
        this.wallMillis = wallMillis;
        this.startNanos = nanos.getAsLong();
        this.entries = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((CacheKey key, CacheEntry entry) -> (int) Math.min(Integer.MAX_VALUE, entry.bytes()))
                .expireAfter(Expiry.<CacheKey, CacheEntry>writing(
                        (key, entry) -> Duration.ofNanos(Math.max(0, entry.endNanos() - nanos.getAsLong()))))
                .ticker(nanos::getAsLong)
                .scheduler(Scheduler.disabledScheduler())
                // Maintenance is a few microseconds, and needs no separate thread.
                .executor(Runnable::run)
                .evictionListener((CacheKey key, CacheEntry entry, RemovalCause cause) -> {
                    if (cause == RemovalCause.SIZE) {
                        evictions.increment();
                    }
                })
                .build();
        this.limit = entries.policy().eviction().orElseThrow();
    }

    /** Returns the stored response for a request, fresh or not; null if there is none. */
    public StoredResponse find(CacheableRequest request) {
        CacheEntry found = entries.getIfPresent(request.key());
        if (found instanceof CacheEntry.Varying varying) {
            found = entries.getIfPresent(CacheKeys.variant(request, varying.names()));
        }
        return found instanceof StoredResponse response && !isChanged(response) ? response : null;
    }

    private boolean isChanged(StoredResponse response) {
        return isChangedSince(response.resource(), response.requestedNanos());
    }

    /** Returns whether a call has changed the resource of the request since this time, or the store was cleared. */
    public boolean isChangedSince(HttpRequest request, long requestedNanos) {
        return isChangedSince(CacheKeys.resource(request), requestedNanos);
    }

    private boolean isChangedSince(int resource, long requestedNanos) {
        return requestedNanos - startNanos <= clearedNanos || wasChangedSince(resource, requestedNanos);
    }

    private boolean wasChangedSince(int resource, long nanosOfNode) {
        long changed = changedNanos.get(slot(resource));
        return changed != 0 && nanosOfNode - startNanos <= changed;
    }

    /**
     * Stores the response to a request if that is allowed, in place of an earlier one. Otherwise removes the earlier one, unless the target
     * failed.
     *
     * @param requestedNanos when the attempt started, on the node's monotonic clock
     * @return the stored response; null if it was not stored
     */
    public StoredResponse store(CacheableRequest request, Response response, long requestedNanos) {
        StoredResponse stored =
                StorageRules.toStore(request, response, requestedNanos, nanos.getAsLong(), wallMillis.getAsLong());
        if (stored == null || isTooLarge(stored) || isChanged(stored)) {
            if (response.status() < 500) {
                remove(request);
            }
            return null;
        }
        put(request, stored);
        return stored;
    }

    /**
     * Stores a response that another node received, if this node would have stored it too.
     *
     * @param receivedMillis when the other node received its last byte, in milliseconds since the epoch
     * @param delayMillis how long its attempt took
     * @param lookupNanos when this node began to look it up, on its monotonic clock
     * @return the stored response; null if this node must not use it
     */
    public StoredResponse restore(
            CacheableRequest request, Response response, long receivedMillis, long delayMillis, long lookupNanos) {
        long now = nanos.getAsLong();
        long nowMillis = wallMillis.getAsLong();
        if (receivedMillis - nowMillis > MAX_CLOCK_DIFFERENCE_MILLIS) {
            return null;
        }
        long received = now - TimeUnit.MILLISECONDS.toNanos(Math.max(0, nowMillis - receivedMillis));
        long requested = received - TimeUnit.MILLISECONDS.toNanos(delayMillis);
        StoredResponse stored = StorageRules.toStore(request, response, requested, received, receivedMillis);
        // The other node's clock may be ahead, so that an old response seems to be newer than the change.
        long earliest = requested - TimeUnit.MILLISECONDS.toNanos(MAX_CLOCK_DIFFERENCE_MILLIS);
        if (stored == null
                || stored.endNanos() - now <= 0
                || isTooLarge(stored)
                || wasChangedSince(stored.resource(), earliest)) {
            return null;
        }
        StoredResponse own = find(request);
        if (own != null && own.receivedNanos() - received >= 0) {
            return own; // Another attempt of this node has ended meanwhile.
        }
        // A clear or a change that comes from now on is later than the lookup, so it invalidates the response.
        StoredResponse restored = stored.withRequestedNanos(lookupNanos);
        put(request, restored);
        return isChanged(restored) ? null : restored;
    }

    private boolean isTooLarge(StoredResponse response) {
        return response.bytes() > limit.getMaximum() / MAX_PART;
    }

    private void put(CacheableRequest request, StoredResponse stored) {
        if (stored.varying().isEmpty()) {
            entries.put(request.key(), stored);
        } else {
            entries.put(request.key(), new CacheEntry.Varying(stored.varying(), stored.endNanos()));
            entries.put(CacheKeys.variant(request, stored.varying()), stored);
        }
    }

    /** Marks a response as being refreshed. Returns true for the first caller only. */
    public boolean tryStartRefresh(CacheableRequest request, StoredResponse response) {
        CacheKey key = response.varying().isEmpty() ? request.key() : CacheKeys.variant(request, response.varying());
        return entries.asMap().replace(key, response, response.withRefreshStarted());
    }

    /** Removes the stored response for a request. */
    public void remove(CacheableRequest request) {
        CacheEntry found = entries.getIfPresent(request.key());
        if (found instanceof CacheEntry.Varying varying) {
            entries.invalidate(CacheKeys.variant(request, varying.names()));
        } else if (found != null) {
            entries.invalidate(request.key());
        }
    }

    /** Invalidates every stored response of the request's resource, even one whose attempt is under way. */
    public void invalidate(HttpRequest request) {
        int slot = slot(CacheKeys.resource(request));
        changedNanos.accumulateAndGet(slot, Math.max(1, nanos.getAsLong() - startNanos), Math::max);
    }

    private static int slot(int resource) {
        return (resource ^ (resource >>> 16)) & (RESOURCE_SLOTS - 1);
    }

    /** Removes all responses. Responses of attempts that are under way are not used. */
    public void clear() {
        clearedNanos = nanos.getAsLong() - startNanos;
        entries.invalidateAll();
    }

    /** Applies another limit, and removes responses beyond it. */
    public void setMaxBytes(long maxBytes) {
        if (limit.getMaximum() != maxBytes) {
            limit.setMaximum(maxBytes);
        }
    }

    /** Returns the limit of bytes. */
    public long maxBytes() {
        return limit.getMaximum();
    }

    /** Returns the bytes of all entries. */
    public long bytes() {
        return limit.weightedSize().orElse(0);
    }

    /** Returns the number of entries. */
    public long size() {
        return entries.estimatedSize();
    }

    /** Returns how many entries were removed because the store was full. */
    public long evictions() {
        return evictions.sum();
    }
}
