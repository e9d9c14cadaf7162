package io.iocluster.door.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Limits the bytes of the request bodies that the door holds: as they arrived, and as they were read. One app may have half of the limit,
 * or enough for one of the largest bodies if that is more. Thread-safe.
 */
public final class BodyBudget {

    private final long minShare;

    @GuardedBy("this")
    private long limit;

    /** The reserved bytes. */
    @GuardedBy("this")
    private final BytesByApp held = new BytesByApp();

    /**
     * Creates the budget.
     *
     * @param limit maximum number of bytes
     * @param minShare number of bytes that one app may have, even if it is more than half of the limit
     */
    public BodyBudget(long limit, long minShare) {
        this.limit = limit;
        this.minShare = minShare;
    }

    /** Changes the limit. What is reserved stays reserved. */
    public synchronized void update(long newLimit) {
        limit = newLimit;
    }

    /** Reserves these bytes for the app and returns true if they are free. Each reservation must be {@linkplain #release released}. */
    public synchronized boolean tryReserve(String app, long bytes) {
        if (held.total() + bytes > limit || held.of(app) + bytes > Math.max(limit / 2, minShare)) {
            return false;
        }
        held.add(app, bytes);
        return true;
    }

    /** Releases reserved bytes of the app. */
    public synchronized void release(String app, long bytes) {
        held.add(app, -bytes);
    }

    /** Returns the reserved bytes of all apps. */
    public synchronized long held() {
        return held.total();
    }
}
