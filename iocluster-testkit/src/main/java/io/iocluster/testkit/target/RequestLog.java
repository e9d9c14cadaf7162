package io.iocluster.testkit.target;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a target saw: totals always, and by id and key if it keeps details. Requests for the ledger itself are not in it.
 * Safe for several threads.
 */
public final class RequestLog {

    private final boolean detailed;
    private final LongAdder requests = new LongAdder();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger peakOpen = new AtomicInteger();
    private final Map<String, Integer> byId = new ConcurrentHashMap<>();
    private final Set<String> abandoned = ConcurrentHashMap.newKeySet();
    private final Map<String, KeyLog> byKey = new ConcurrentHashMap<>();

    RequestLog(boolean detailed) {
        this.detailed = detailed;
    }

    /** Whether ids and keys are kept. */
    public boolean isDetailed() {
        return detailed;
    }

    /** Requests that came. */
    public long requests() {
        return requests.sum();
    }

    /** Requests that wait for their answer now. */
    public int open() {
        return open.get();
    }

    /** The most that ever waited at once. */
    public int peakOpen() {
        return peakOpen.get();
    }

    /** How often a request with this id came. */
    public int count(String id) {
        return byId.getOrDefault(id, 0);
    }

    /** How often each id came. */
    public Map<String, Integer> counts() {
        return Map.copyOf(byId);
    }

    /** The ids of the requests whose client went away before it had its answer. */
    public Set<String> abandoned() {
        return Set.copyOf(abandoned);
    }

    /** The most requests with this key that ever waited at once. */
    public int peakOpen(String key) {
        KeyLog lane = byKey.get(key);
        return lane == null ? 0 : lane.peakOpen();
    }

    /** The ids of the requests with this key, in the order they came. */
    public List<String> idsInOrder(String key) {
        KeyLog lane = byKey.get(key);
        return lane == null ? List.of() : lane.order();
    }

    /** The keys that came. */
    public List<String> keysSeen() {
        return List.copyOf(byKey.keySet());
    }

    /** Forgets all but what is open now. */
    public void reset() {
        requests.reset();
        peakOpen.set(open.get());
        byId.clear();
        abandoned.clear();
        byKey.clear();
    }

    void recordFastPathRequest() {
        requests.increment();
    }

    void recordStart(String id, String key) {
        requests.increment();
        int now = open.incrementAndGet();
        if (now > peakOpen.get()) {
            peakOpen.accumulateAndGet(now, Math::max);
        }
        if (detailed && id != null) {
            byId.merge(id, 1, Integer::sum);
        }
        if (detailed && key != null) {
            byKey.computeIfAbsent(key, any -> new KeyLog()).opened(id);
        }
    }

    void recordEnd(String key) {
        open.decrementAndGet();
        KeyLog lane = detailed && key != null ? byKey.get(key) : null;
        if (lane != null) {
            lane.closed();
        }
    }

    void abandoned(String id) {
        if (detailed && id != null) {
            abandoned.add(id);
        }
    }

    /** A copy by key, for JSON. */
    Map<String, KeyLog> logsByKey() {
        return new LinkedHashMap<>(byKey);
    }

    /** The requests with one key. Guarded by itself. */
    static final class KeyLog {

        @GuardedBy("this")
        private final List<String> order = new ArrayList<>();

        @GuardedBy("this")
        private int open;

        @GuardedBy("this")
        private int peakOpen;

        synchronized void opened(String id) {
            order.add(String.valueOf(id));
            open++;
            peakOpen = Math.max(peakOpen, open);
        }

        synchronized void closed() {
            open--;
        }

        synchronized List<String> order() {
            return List.copyOf(order);
        }

        synchronized int peakOpen() {
            return peakOpen;
        }
    }
}
