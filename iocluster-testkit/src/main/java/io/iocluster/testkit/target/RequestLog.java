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
 * The requests that a target received: totals and, if detailed, counts by id and key. Does not count requests for
 * {@code /ledger}. Thread-safe.
 */
public final class RequestLog {

    private final boolean detailed;
    private final LongAdder requests = new LongAdder();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger peakOpen = new AtomicInteger();
    private final Map<String, Integer> byId = new ConcurrentHashMap<>();
    private final Map<String, Integer> onUsedConnections = new ConcurrentHashMap<>();
    private final Set<String> abandoned = ConcurrentHashMap.newKeySet();
    private final Map<String, KeyLog> byKey = new ConcurrentHashMap<>();

    RequestLog(boolean detailed) {
        this.detailed = detailed;
    }

    /** Returns whether ids and keys are recorded. */
    public boolean isDetailed() {
        return detailed;
    }

    /** Returns the number of requests received. */
    public long requests() {
        return requests.sum();
    }

    /** Returns the number of requests that are not yet answered. */
    public int open() {
        return open.get();
    }

    /** Returns the maximum number of requests that were open at the same time. */
    public int peakOpen() {
        return peakOpen.get();
    }

    /** Returns the number of requests with this id. */
    public int count(String id) {
        return byId.getOrDefault(id, 0);
    }

    /** Returns the number of requests by id. */
    public Map<String, Integer> counts() {
        return Map.copyOf(byId);
    }

    /** Returns the number of requests by id that were not the first on their connection. */
    public Map<String, Integer> countsOnUsedConnections() {
        return Map.copyOf(onUsedConnections);
    }

    /** Returns the ids of the requests whose client disconnected before the answer. */
    public Set<String> abandoned() {
        return Set.copyOf(abandoned);
    }

    /** Returns the maximum number of requests with this key that were open at the same time. */
    public int peakOpen(String key) {
        KeyLog keyLog = byKey.get(key);
        return keyLog == null ? 0 : keyLog.peakOpen();
    }

    /** Returns the ids of the requests with this key, in the order received. */
    public List<String> idsInOrder(String key) {
        KeyLog keyLog = byKey.get(key);
        return keyLog == null ? List.of() : keyLog.order();
    }

    /** Clears everything except the number of open requests. */
    public void reset() {
        requests.reset();
        peakOpen.set(open.get());
        byId.clear();
        onUsedConnections.clear();
        abandoned.clear();
        byKey.clear();
    }

    void recordFastPathRequest() {
        requests.increment();
    }

    /** @param usedConnection whether the connection carried an earlier request */
    void recordStart(String id, String key, boolean usedConnection) {
        requests.increment();
        int now = open.incrementAndGet();
        if (now > peakOpen.get()) {
            peakOpen.accumulateAndGet(now, Math::max);
        }
        if (detailed && id != null) {
            byId.merge(id, 1, Integer::sum);
            if (usedConnection) {
                onUsedConnections.merge(id, 1, Integer::sum);
            }
        }
        if (detailed && key != null) {
            byKey.computeIfAbsent(key, any -> new KeyLog()).opened(id);
        }
    }

    void recordEnd(String key) {
        open.decrementAndGet();
        KeyLog keyLog = detailed && key != null ? byKey.get(key) : null;
        if (keyLog != null) {
            keyLog.closed();
        }
    }

    void recordAbandoned(String id) {
        if (detailed && id != null) {
            abandoned.add(id);
        }
    }

    /** Returns a copy of the logs by key, for JSON. */
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
