package io.iocluster.cache.shared;

import io.iocluster.cache.CacheKey;
import io.iocluster.cache.CacheKeys;
import io.iocluster.cache.ResponseStore;
import io.iocluster.cache.StorageRules;
import io.iocluster.cache.StoredResponse;
import io.iocluster.thread.FutureTimeout;
import io.iocluster.thread.NodeClock;
import io.iocluster.thread.StageFailure;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reserved lookup in the shared cache. Its owner either {@linkplain #start starts} or {@linkplain #cancel cancels} it, once. The store
 * completes it on its own thread, or a timer does.
 */
public final class SharedLookup {

    private static final Logger LOG = LoggerFactory.getLogger(SharedLookup.class);

    private final SharedSession session;
    private final SharedRequest request;
    private final NodeClock clock;

    /** The read that the lookup waits for. */
    private volatile CompletableFuture<byte[]> reading;

    SharedLookup(SharedSession session, SharedRequest request, NodeClock clock) {
        this.session = session;
        this.request = request;
        this.clock = clock;
    }

    /** What was found. */
    private record Found(SharedCacheResult result, SharedEntry entry) {

        static final Found NOTHING = new Found(SharedCacheResult.MISS, null);
        static final Found REFUSED = new Found(SharedCacheResult.REFUSED, null);
    }

    /** Does not make the lookup. */
    public void cancel() {
        session.cancelReserved();
    }

    /**
     * Looks the response up.
     *
     * @param into stores what is found
     * @param listener receives the stored response, fresh or not, or null; called once, within the timeout, on any thread
     */
    public void start(ResponseStore into, Consumer<StoredResponse> listener) {
        long startNanos = clock.nanos();
        CompletableFuture<Found> found;
        try {
            found = find();
        } catch (RuntimeException failed) {
            found = CompletableFuture.failedFuture(failed);
        }
        FutureTimeout.failAfter(found, session.settings().timeout(), session.timer());
        found.whenComplete((result, failure) -> {
            StoredResponse stored = end(result, failure, into, startNanos);
            try {
                listener.accept(stored);
            } catch (Throwable bug) {
                LOG.error("Lookup in the shared cache not handled because of a defect", bug);
            }
        });
    }

    private StoredResponse end(Found found, Throwable failure, ResponseStore into, long startNanos) {
        long took = clock.nanos() - startNanos;
        if (failure != null) {
            Throwable cause = StageFailure.unwrap(failure);
            boolean timeout = cause instanceof TimeoutException;
            if (timeout) {
                reading.cancel(false);
            }
            session.lookupEnded(timeout ? SharedCacheResult.TIMEOUT : SharedCacheResult.ERROR, took, cause);
            return null;
        }
        StoredResponse restored = null;
        SharedCacheResult result = found.result();
        if (found.entry() instanceof SharedEntry.Stored stored) {
            try {
                restored = into.restore(
                        request.local(), stored.response(), stored.receivedMillis(), stored.delayMillis(), startNanos);
                result = restored == null ? SharedCacheResult.REFUSED : SharedCacheResult.HIT;
            } catch (RuntimeException bug) {
                // The call would otherwise wait until its deadline, and the lookup would count as under way for ever.
                LOG.error("Response of the shared cache not usable because of a defect", bug);
                result = SharedCacheResult.ERROR;
            }
        }
        session.lookupEnded(result, took, null);
        return restored;
    }

    private CompletableFuture<Found> find() {
        return read(request.everywhere().key()).thenCompose(found -> {
            if (found.entry() instanceof SharedEntry.Varying varying) {
                CacheKey variant = CacheKeys.variant(request.everywhere(), varying.names());
                return read(variant).thenApply(each -> checkSelected(each, varying.names()));
            }
            return CompletableFuture.completedFuture(checkSelected(found, List.of()));
        });
    }

    private CompletableFuture<Found> read(CacheKey cacheKey) {
        byte[] key = session.key().of(request.destination(), cacheKey);
        // One more byte than allowed, so that a value that is too large is noticed.
        CompletableFuture<byte[]> read = session.store()
                .read(key, Math.toIntExact(session.settings().maxValueBytes().bytes()) + 1);
        reading = read;
        return read.thenApply(value -> {
            if (value.length == 0) {
                return Found.NOTHING;
            }
            SharedEntry entry = session.codec().decode(key, value);
            return entry == null ? Found.REFUSED : new Found(SharedCacheResult.HIT, entry);
        });
    }

    /** Refuses a response whose {@code Vary} names other headers than those that led to it. */
    private static Found checkSelected(Found found, List<String> names) {
        if (found.entry() == null) {
            return found;
        }
        return found.entry() instanceof SharedEntry.Stored stored
                        && names.equals(StorageRules.varying(stored.response().headers()))
                ? found
                : Found.REFUSED;
    }
}
