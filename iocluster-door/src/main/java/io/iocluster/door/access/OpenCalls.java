package io.iocluster.door.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Counts the open calls of the door and limits them. Thread-safe. */
public final class OpenCalls {

    private final int limit;

    @GuardedBy("this")
    private int open;

    @GuardedBy("this")
    private boolean draining;

    /**
     * Creates the limit.
     *
     * @param limit maximum number of calls that are open at the same time, 1 or more
     */
    public OpenCalls(int limit) {
        this.limit = limit;
    }

    /** The result of {@link #tryStart}. */
    public enum Admission {
        STARTED,
        DOOR_FULL,
        APP_OVER_QUOTA,
        DRAINING
    }

    /** Counts a call of the app as open if the limits allow it. Each call that is {@link Admission#STARTED} must {@link #end}. */
    public synchronized Admission tryStart(App app) {
        if (draining) {
            return Admission.DRAINING;
        }
        if (open >= limit) {
            return Admission.DOOR_FULL;
        }
        if (!app.tryStart()) {
            return Admission.APP_OVER_QUOTA;
        }
        open++;
        return Admission.STARTED;
    }

    /** Ends a started call. */
    public synchronized void end(App app) {
        app.end();
        open--;
        notifyAll();
    }

    /** Returns the number of open calls. */
    public synchronized int count() {
        return open;
    }

    /** Refuses further calls. */
    public synchronized void drain() {
        draining = true;
    }

    public synchronized boolean isDraining() {
        return draining;
    }

    /** Waits until no call is open. Returns false if one still is after this time. */
    public synchronized boolean awaitNone(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        while (open > 0) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }
}
