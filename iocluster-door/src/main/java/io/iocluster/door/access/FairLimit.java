package io.iocluster.door.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/** Limits the number of open streams, or of waiting callers. One app may have half of them, rounded up. Thread-safe. */
public final class FairLimit {

    @GuardedBy("this")
    private int limit;

    @GuardedBy("this")
    private int open;

    @GuardedBy("this")
    private final Map<String, Integer> apps = new HashMap<>();

    /**
     * Creates the limit.
     *
     * @param limit maximum number that may be open, 0 or more
     */
    public FairLimit(int limit) {
        this.limit = limit;
    }

    /** Changes the limit. What is open stays open. */
    public synchronized void update(int newLimit) {
        limit = newLimit;
    }

    /** Counts one more as open and returns true if the limit allows it. Each counted one must be {@linkplain #close closed}. */
    public synchronized boolean tryOpen(String app) {
        int ofApp = apps.getOrDefault(app, 0);
        if (open >= limit || ofApp >= (limit + 1) / 2) {
            return false;
        }
        open++;
        apps.put(app, ofApp + 1);
        return true;
    }

    /** Removes one that {@link #tryOpen} has counted. */
    public synchronized void close(String app) {
        open--;
        apps.computeIfPresent(app, (name, count) -> count == 1 ? null : count - 1);
    }

    /** Returns how many are open. */
    public synchronized int count() {
        return open;
    }
}
