package io.iocluster.door.access;

import java.util.concurrent.atomic.AtomicLong;

/** Limits the bytes of the request bodies that the door holds, read and unread. Thread-safe. */
public final class BodyBudget {

    private final AtomicLong held = new AtomicLong();
    private volatile long limit;

    /**
     * Creates the budget.
     *
     * @param limit maximum number of bytes
     */
    public BodyBudget(long limit) {
        this.limit = limit;
    }

    /** Changes the limit. What is reserved stays reserved. */
    public void update(long newLimit) {
        limit = newLimit;
    }

    /** Reserves these bytes and returns true if they are free. Each reservation must be {@linkplain #release released}. */
    public boolean tryReserve(long bytes) {
        if (held.addAndGet(bytes) <= limit) {
            return true;
        }
        held.addAndGet(-bytes);
        return false;
    }

    /** Releases reserved bytes. */
    public void release(long bytes) {
        held.addAndGet(-bytes);
    }

    /** Returns the reserved bytes. */
    public long held() {
        return held.get();
    }
}
