package io.iocluster.door.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Counts the open calls of the door and limits them. An app has at most one open call with an id. Thread-safe. */
public final class OpenCalls {

    private final Platform platform;

    @GuardedBy("this")
    private int limit;

    @GuardedBy("this")
    private int open;

    /** Completes when no call is open; null until a thread waits for that. */
    @GuardedBy("this")
    private CompletableFuture<Void> none;

    @GuardedBy("this")
    private final Set<OpenId> ids = new HashSet<>();

    @GuardedBy("this")
    private boolean draining;

    private record OpenId(String app, String id) {}

    /**
     * Creates the limit.
     *
     * @param limit maximum number of calls that are open at the same time, 1 or more
     */
    public OpenCalls(int limit, Platform platform) {
        this.limit = limit;
        this.platform = platform;
    }

    /** The result of {@link #tryStart}. */
    public enum Admission {
        /** The call counts as open. */
        STARTED,
        /** The door has too many open calls. */
        DOOR_FULL,
        /** The app has too many open calls, or its rate forbids this one now. */
        APP_OVER_QUOTA,
        /** The app has an open call with this id. */
        ID_IN_USE,
        /** The door stops. */
        DRAINING
    }

    /** Changes the limit. Open calls stay open. */
    public synchronized void update(int newLimit) {
        limit = newLimit;
    }

    /**
     * Counts a call of the app as open if the limits allow it. Each call that is {@link Admission#STARTED} must {@link #end}.
     *
     * @param id the id of the call
     * @param branches number of calls that it consists of, 1 or more
     */
    public synchronized Admission tryStart(App app, String id, int branches) {
        OpenId openId = new OpenId(app.name(), id);
        if (draining) {
            return Admission.DRAINING;
        }
        if (ids.contains(openId)) {
            return Admission.ID_IN_USE;
        }
        if (open + branches > limit) {
            return Admission.DOOR_FULL;
        }
        if (!app.tryStart(branches)) {
            return Admission.APP_OVER_QUOTA;
        }
        ids.add(openId);
        open += branches;
        return Admission.STARTED;
    }

    /** Ends a started call. */
    public synchronized void end(App app, String id, int branches) {
        app.end(branches);
        ids.remove(new OpenId(app.name(), id));
        open -= branches;
        if (open == 0 && none != null) {
            none.complete(null);
        }
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

    /** Waits until no call is open. Call it after {@link #drain}. Returns false if one still is after this time. */
    public boolean awaitNone(Duration timeout) throws InterruptedException {
        CompletableFuture<Void> ended;
        synchronized (this) {
            if (open == 0) {
                return true;
            }
            if (none == null) {
                none = new CompletableFuture<>();
            }
            ended = none;
        }
        return platform.await(ended, timeout);
    }
}
