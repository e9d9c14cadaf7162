package io.iocluster.pipeline.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.cache.CacheCounters;
import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheableRequest;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallInterceptor;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The calls that wait for the attempt of another call, in the order in which they came. They stay together when one of them leads the others,
 * so that a new leader costs the same for any number of calls. Thread-safe.
 */
final class Followers implements CallInterceptor {

    private final CacheCounters counters;

    @GuardedBy("this")
    private final Map<Call, CacheableRequest> calls = new LinkedHashMap<>(0);

    @GuardedBy("this")
    private boolean closed;

    Followers(CacheCounters counters) {
        this.counters = counters;
    }

    /**
     * Adds a call that waits at its destination.
     *
     * @return false if they are closed
     */
    boolean join(Call call, CacheableRequest itsRequest) {
        synchronized (this) {
            if (closed) {
                return false;
            }
            calls.put(call, itsRequest);
            // Under the lock, because the thread that takes the call sets its own interceptor at once.
            call.progress().setInterceptor(this);
        }
        if (call.isEnded()) {
            ended(call);
        }
        return true;
    }

    /** Removes and returns the first call that has not ended, to lead the others. If there is none, accepts no more calls and returns null. */
    synchronized Map.Entry<Call, CacheableRequest> takeLeader() {
        Iterator<Map.Entry<Call, CacheableRequest>> each = calls.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<Call, CacheableRequest> first = each.next();
            each.remove();
            if (!first.getKey().isEnded()) {
                return first;
            }
            counters.count(CacheResult.MISS);
        }
        closed = true;
        return null;
    }

    /** Accepts no more calls, and returns those that wait. */
    synchronized Map<Call, CacheableRequest> close() {
        closed = true;
        Map<Call, CacheableRequest> all = new LinkedHashMap<>(calls);
        calls.clear();
        return all;
    }

    @Override
    public void ended(Call call) {
        if (remove(call)) {
            counters.count(CacheResult.MISS);
        }
    }

    @Override
    public void withdrawn(Call call) {
        remove(call);
    }

    private synchronized boolean remove(Call call) {
        return calls.remove(call) != null;
    }
}
