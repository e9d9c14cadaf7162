package io.iocluster.destination;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The calls that wait for one destination: those whose turn is next, first come first served, and retries that are not yet
 * due. Confined to its destination's lock.
 */
final class WaitQueue<C extends PendingCall> {

    private record QueuedCall<C>(C call, long nanos) {}

    /** With when each joined. */
    private final Queue<QueuedCall<C>> ready = new ArrayDeque<>();
    /** With when each is due. */
    private final Queue<QueuedCall<C>> later = new ArrayDeque<>();

    private long bytes;

    int size() {
        return ready.size() + later.size();
    }

    /** The next calls to start. */
    int readySize() {
        return ready.size();
    }

    long bytes() {
        return bytes;
    }

    void add(C call, long nowNanos) {
        ready.add(new QueuedCall<>(call, nowNanos));
        bytes += call.queuedBytes();
    }

    void addDelayed(C call, long dueNanos) {
        later.add(new QueuedCall<>(call, dueNanos));
        bytes += call.queuedBytes();
    }

    /** The call whose turn is next, or null. */
    C peek() {
        QueuedCall<C> first = ready.peek();
        return first == null ? null : first.call();
    }

    /** Whether the head joined no longer ago than that; false if there is none. */
    boolean isHeadWaitWithin(long nowNanos, long nanos) {
        QueuedCall<C> first = ready.peek();
        return first != null && nowNanos - first.nanos() <= nanos;
    }

    void removeHead() {
        bytes -= ready.remove().call().queuedBytes();
    }

    /** Lets retries that are due join, and takes out whose deadline has passed or what has ended otherwise. */
    List<C> promoteDueAndRemoveExpired(long nowNanos) {
        later.removeIf(retry -> {
            boolean due = nowNanos - retry.nanos() >= 0;
            if (due) {
                ready.add(new QueuedCall<>(retry.call(), nowNanos));
            }
            return due;
        });
        List<C> expired = new ArrayList<>(0);
        ready.removeIf(waiting -> isOver(waiting.call(), nowNanos, expired));
        later.removeIf(waiting -> isOver(waiting.call(), nowNanos, expired));
        return expired;
    }

    private boolean isOver(C call, long nowNanos, List<C> expired) {
        boolean late = call.deadlineNanos() - nowNanos <= 0;
        if (late) {
            expired.add(call);
        }
        if (late || call.permit().isEnded()) {
            bytes -= call.queuedBytes();
            return true;
        }
        return false;
    }

    /** Takes everyone out. */
    List<C> removeAll() {
        List<C> all = new ArrayList<>(size());
        ready.forEach(waiting -> all.add(waiting.call()));
        later.forEach(waiting -> all.add(waiting.call()));
        ready.clear();
        later.clear();
        bytes = 0;
        return all;
    }
}
