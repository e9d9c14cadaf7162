package io.iocluster.destination;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The calls that wait for one destination: a FIFO queue of calls that may start, and calls that are not yet due.
 * Confined to its destination's lock.
 */
final class WaitQueue<C extends PendingCall> {

    private record QueuedCall<C>(C call, long nanos) {}

    /** Calls that may start, with the time when each was queued. */
    private final Queue<QueuedCall<C>> ready = new ArrayDeque<>();
    /** Calls that are not yet due, with the time when each is due. */
    private final Queue<QueuedCall<C>> delayed = new ArrayDeque<>();

    private long bytes;

    int size() {
        return ready.size() + delayed.size();
    }

    /** Returns the number of calls that may start. */
    int readySize() {
        return ready.size();
    }

    /** Returns the bytes that all calls in the queue hold. */
    long bytes() {
        return bytes;
    }

    void add(C call, long nowNanos) {
        ready.add(new QueuedCall<>(call, nowNanos));
        bytes += call.queuedBytes();
    }

    void addDelayed(C call, long dueNanos) {
        delayed.add(new QueuedCall<>(call, dueNanos));
        bytes += call.queuedBytes();
    }

    /** Returns the next call to start, or null. */
    C peek() {
        QueuedCall<C> first = ready.peek();
        return first == null ? null : first.call();
    }

    /** Returns whether the head was queued within this time. Returns false if there is no head. */
    boolean isHeadWaitWithin(long nowNanos, long nanos) {
        QueuedCall<C> first = ready.peek();
        return first != null && nowNanos - first.nanos() <= nanos;
    }

    void removeHead() {
        bytes -= ready.remove().call().queuedBytes();
    }

    /** Makes due calls ready to start. Removes calls that have ended or expired, and returns the expired ones. */
    List<C> promoteDueAndRemoveExpired(long nowNanos) {
        delayed.removeIf(waiting -> {
            boolean due = nowNanos - waiting.nanos() >= 0;
            if (due) {
                ready.add(new QueuedCall<>(waiting.call(), nowNanos));
            }
            return due;
        });
        List<C> expired = new ArrayList<>(0);
        ready.removeIf(waiting -> isEndedOrExpired(waiting.call(), nowNanos, expired));
        delayed.removeIf(waiting -> isEndedOrExpired(waiting.call(), nowNanos, expired));
        return expired;
    }

    private boolean isEndedOrExpired(C call, long nowNanos, List<C> expired) {
        boolean deadlinePassed = call.deadlineNanos() - nowNanos <= 0;
        if (deadlinePassed) {
            expired.add(call);
        }
        if (deadlinePassed || call.permit().isEnded()) {
            bytes -= call.queuedBytes();
            return true;
        }
        return false;
    }

    /** Removes all calls and returns them. */
    List<C> removeAll() {
        List<C> all = new ArrayList<>(size());
        ready.forEach(waiting -> all.add(waiting.call()));
        delayed.forEach(waiting -> all.add(waiting.call()));
        ready.clear();
        delayed.clear();
        bytes = 0;
        return all;
    }
}
