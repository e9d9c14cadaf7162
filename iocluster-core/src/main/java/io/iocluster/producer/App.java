package io.iocluster.producer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.NodeCapacity;
import io.iocluster.destination.PendingCall;
import io.iocluster.destination.WaitQueue;
import io.iocluster.destination.limit.RateLimit;
import io.iocluster.message.Outcome;
import io.iocluster.thread.OneAtATime;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * An app that sends calls: counts them and keeps them within its quota. Calls over the quota wait here, and not at their destination, so
 * that they delay no call of another app (docs/adr/0036-calls-over-the-quota-of-an-app-wait.md). Thread-safe; without a quota its hot path
 * takes no lock.
 *
 * @param <C> the type of the calls
 */
public final class App<C extends PendingCall> {

    private static final App<PendingCall> UNTRACKED =
            new App<>(AppName.UNKNOWN, false, AppQuota.DEFAULTS, new Shared<>(null, Set.of(), call -> {}, () -> 0));

    /**
     * What all apps share.
     *
     * @param withQueue the apps with calls that wait; a concurrent set
     * @param starter passes a call that may start to its destination; must not throw
     */
    record Shared<C extends PendingCall>(
            NodeCapacity node, Set<App<C>> withQueue, Consumer<C> starter, LongSupplier clock) {}

    private final String name;
    private final Shared<C> shared;
    private final AppCounts counts;
    /** Registered calls that have not ended. */
    private final AtomicInteger open = new AtomicInteger();
    /** The size of {@link #queue}, for readers without the lock. */
    private volatile int waiting;

    private volatile boolean configured;
    private volatile AppQuota quota;
    private volatile long usedNanos;

    private final OneAtATime dispatches = new OneAtATime();
    private final Runnable startWaiting = this::startWaiting;

    @GuardedBy("this")
    private final WaitQueue<C> queue = new WaitQueue<>((calls, bytes) -> waiting = calls);

    @GuardedBy("this")
    private RateLimit rate;

    @GuardedBy("this")
    private boolean closed;

    App(String name, boolean configured, AppQuota quota, Shared<C> shared) {
        this.name = name;
        this.configured = configured;
        this.shared = shared;
        this.quota = quota;
        this.rate = new RateLimit(name, quota.rate(), 1, shared.clock());
        this.usedNanos = shared.clock().getAsLong();
        this.counts = new AppCounts(usedNanos);
    }

    /** Returns an app without a quota that is in no registry, for calls whose sender does not matter. */
    @SuppressWarnings("unchecked") // It never holds a call.
    public static <C extends PendingCall> App<C> untracked() {
        return (App<C>) (App<?>) UNTRACKED;
    }

    /** Returns the name in its messages; {@code other} or {@code unknown} for the apps that are not counted separately. */
    public String name() {
        return name;
    }

    /** Returns the hash of the name, so that sets of apps have the same order in each run of a simulation. */
    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /**
     * Applies a quota. Calls that it would not have let through continue.
     *
     * @param byEntry whether the quota is that of an entry of {@code apps}
     */
    synchronized void update(boolean byEntry, AppQuota next) {
        configured = byEntry;
        if (!next.rate().equals(rate.rate())) {
            rate = new RateLimit(name, next.rate(), 1, shared.clock());
        }
        quota = next;
    }

    /** Records that a message of the app was read. */
    void recordUse(long nowNanos) {
        usedNanos = nowNanos;
    }

    /** Returns whether the app holds no call and no message of it was read since this time. */
    boolean isIdleSince(long nanos) {
        return open.get() == 0 && usedNanos - nanos < 0;
    }

    /** Counts a call that the node now works on. */
    public void callOpened() {
        open.incrementAndGet();
    }

    /** Removes a call that has ended or that its source keeps, and starts others that waited for it. */
    public void callClosed(C call) {
        open.decrementAndGet();
        if (waiting > 0) {
            removeWaiting(call);
            dispatch();
        }
    }

    private synchronized void removeWaiting(C call) {
        queue.remove(call);
    }

    /** Counts how a call ended. */
    public void recordEnd(Outcome outcome, boolean error) {
        counts.ended(outcome, error);
    }

    /** Counts a call that fails because the app is over its quota. */
    public void recordOverQuota() {
        counts.overQuota();
    }

    /**
     * Returns whether a call that was {@linkplain #callOpened opened} may start now. The caller reports with {@link #recordStart} that its
     * destination has accepted it.
     */
    public boolean mayStart() {
        if (waiting == 0 && !quota.isLimited()) {
            return true;
        }
        synchronized (this) {
            return queue.size() == 0
                    && hasSlot(open.get())
                    && rate.tryReserve(shared.clock().getAsLong());
        }
    }

    /** Uses the permission that {@link #mayStart} has granted. */
    public void recordStart() {
        if (quota.isLimited()) {
            synchronized (this) {
                rate.consumeReservation();
            }
        }
    }

    private boolean hasSlot(int inFlight) {
        int max = quota.maxInFlight();
        return max == 0 || inFlight <= max;
    }

    /** Returns whether these calls of one message may neither start now nor wait. */
    public boolean isFull(List<C> calls) {
        return !mayStart() && calls.stream().anyMatch(call -> !canBeQueued(call));
    }

    private synchronized boolean canBeQueued(C call) {
        return queue.size() < quota.maxWaiting()
                && queue.size() < shared.node().freeQueueSlots()
                && (queue.size() == 0
                        || queue.bytes() + call.queuedBytes() <= shared.node().freeBytes());
    }

    /**
     * Queues a call until the quota lets it start.
     *
     * @param evenIfFull whether it is queued even if too many calls wait
     * @return false if too many calls wait, or if the node stops
     */
    public synchronized boolean offer(C call, boolean evenIfFull) {
        if (closed || (!evenIfFull && !canBeQueued(call))) {
            return false;
        }
        queue.add(call, shared.clock().getAsLong());
        shared.withQueue().add(this);
        if (call.permit().isEnded()) {
            queue.remove(call);
        }
        return true;
    }

    /**
     * Starts the waiting calls that the quota allows. A call that ends while it starts asks for a dispatch again; the running one then
     * continues, so that the stack does not grow.
     */
    public void dispatch() {
        dispatches.run(startWaiting);
    }

    private void startWaiting() {
        for (C next = takeNext(); next != null; next = takeNext()) {
            shared.starter().accept(next);
        }
    }

    private synchronized C takeNext() {
        C head = queue.peek();
        while (head != null && head.permit().isEnded()) {
            queue.remove(head);
            head = queue.peek();
        }
        if (head == null
                || !hasSlot(open.get() - queue.size() + 1)
                || !rate.tryReserve(shared.clock().getAsLong())) {
            return null;
        }
        rate.consumeReservation();
        queue.remove(head);
        return head;
    }

    /** Starts the waiting calls that the quota allows, and returns those whose deadline has passed. One thread calls it. */
    List<C> tick(long nowNanos) {
        List<C> expired = removeExpired(nowNanos);
        dispatch();
        return expired;
    }

    private synchronized List<C> removeExpired(long nowNanos) {
        List<C> expired = queue.promoteDueAndRemoveExpired(nowNanos);
        if (queue.size() == 0) {
            shared.withQueue().remove(this);
        }
        return expired;
    }

    /** Updates the moving averages. One thread calls it. */
    void sample(long nowNanos) {
        counts.sample(nowNanos);
    }

    /** Removes all waiting calls and returns them. No call is queued afterwards. */
    synchronized List<C> close() {
        closed = true;
        return queue.removeAll();
    }

    /** Returns whether the node stops. */
    public synchronized boolean isClosed() {
        return closed;
    }

    /** Returns a snapshot of the current state. */
    public AppStatus status() {
        int queued = waiting;
        return counts.status(name, configured, Math.max(0, open.get() - queued), queued, quota);
    }
}
