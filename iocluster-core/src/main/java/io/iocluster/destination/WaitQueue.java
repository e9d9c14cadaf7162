package io.iocluster.destination;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The calls that wait for one destination or app: a FIFO queue of calls that may start, and calls that are not yet due. A tick
 * visits only the calls that are due or expired, not every call that waits. Confined to the lock of its destination or app.
 */
public final class WaitQueue<C extends PendingCall> {

    private static final Comparator<QueuedCall<?>> BY_TIMER = (a, b) -> {
        // By difference, because the clock may overflow.
        int byTime = Long.signum(a.timerNanos - b.timerNanos);
        return byTime != 0 ? byTime : Long.compare(a.number, b.number);
    };

    /** A call in the queue. Its timer changes only while it is not in {@link #timers}. */
    private static final class QueuedCall<C> {

        private final C call;
        /** Tells calls apart whose timers end at the same time. */
        private final long number;
        /** When it became ready to start. Unused while it is delayed. */
        private long readyNanos;
        /** When it is due or expires, whichever is first. */
        private long timerNanos;

        private QueuedCall(C call, long number) {
            this.call = call;
            this.number = number;
        }
    }

    /** Calls that may start, in the order in which they became ready. */
    private final Map<C, QueuedCall<C>> ready = new LinkedHashMap<>();
    /** Calls that are not yet due. */
    private final Map<C, QueuedCall<C>> delayed = new HashMap<>();
    /** All calls, by the time when the next of their timers ends. */
    private final TreeSet<QueuedCall<C>> timers = new TreeSet<>(BY_TIMER);

    /** Receives the size of a queue. */
    public interface SizeListener {

        void sizeChanged(int calls, long bytes);
    }

    private final SizeListener listener;

    private long nextNumber;
    private long bytes;

    /**
     * Creates an empty queue.
     *
     * @param listener receives the size after each change
     */
    public WaitQueue(SizeListener listener) {
        this.listener = listener;
    }

    /** Returns the number of calls. */
    public int size() {
        return timers.size();
    }

    /** Returns the bytes of all calls. */
    public long bytes() {
        return bytes;
    }

    /** Returns the number of calls that may start. */
    int readySize() {
        return ready.size();
    }

    /** Adds a call that may start. The call must not be in the queue. */
    public void add(C call, long nowNanos) {
        addReady(newEntry(call), nowNanos);
    }

    /** Adds a call that may start at this time. The call must not be in the queue. */
    void addDelayed(C call, long dueNanos) {
        QueuedCall<C> queued = newEntry(call);
        delayed.put(call, queued);
        long deadline = call.deadlineNanos();
        startTimer(queued, dueNanos - deadline < 0 ? dueNanos : deadline);
    }

    private QueuedCall<C> newEntry(C call) {
        bytes += call.queuedBytes();
        return new QueuedCall<>(call, nextNumber++);
    }

    private void addReady(QueuedCall<C> queued, long nowNanos) {
        queued.readyNanos = nowNanos;
        ready.put(queued.call, queued);
        startTimer(queued, queued.call.deadlineNanos());
    }

    private void startTimer(QueuedCall<C> queued, long endNanos) {
        queued.timerNanos = endNanos;
        timers.add(queued);
        listener.sizeChanged(size(), bytes);
    }

    /** Lets a call start that is not yet due. Returns false if it is not in the queue. */
    boolean makeReady(C call, long nowNanos) {
        QueuedCall<C> queued = delayed.remove(call);
        if (queued != null) {
            timers.remove(queued);
            addReady(queued, nowNanos);
        }
        return queued != null;
    }

    /** Returns the next call to start, or null. */
    public C peek() {
        QueuedCall<C> head = head();
        return head == null ? null : head.call;
    }

    /**
     * Returns the call with the latest deadline whose attempt may last long enough if it starts now; if there is none, the one whose
     * attempt may last longest. Visits the calls from the latest deadline until none can be better.
     *
     * @param enoughNanos how long is enough
     * @return null if no call may start
     */
    C peekLongest(long nowNanos, long enoughNanos) {
        C longest = null;
        long longestNanos = Long.MIN_VALUE;
        for (QueuedCall<C> queued : timers.descendingSet()) {
            if (longestNanos >= enoughNanos || queued.timerNanos - nowNanos <= longestNanos) {
                return longest;
            }
            long nanos = queued.call.attemptNanos(nowNanos);
            if (nanos > longestNanos && ready.containsKey(queued.call)) {
                longest = queued.call;
                longestNanos = nanos;
            }
        }
        return longest;
    }

    private QueuedCall<C> head() {
        return ready.isEmpty() ? null : ready.values().iterator().next();
    }

    /** Returns whether the head was queued within this time. Returns false if there is no head. */
    boolean isHeadWaitWithin(long nowNanos, long nanos) {
        QueuedCall<C> head = head();
        return head != null && nowNanos - head.readyNanos <= nanos;
    }

    /** Removes a call, if it is in the queue. */
    public void remove(C call) {
        QueuedCall<C> found = ready.remove(call);
        QueuedCall<C> queued = found != null ? found : delayed.remove(call);
        if (queued != null) {
            timers.remove(queued);
            bytes -= call.queuedBytes();
            listener.sizeChanged(size(), bytes);
        }
    }

    /** Makes due calls ready to start. Removes the calls that have expired and returns them. */
    public List<C> promoteDueAndRemoveExpired(long nowNanos) {
        List<C> expired = new ArrayList<>(0);
        while (!timers.isEmpty() && timers.first().timerNanos - nowNanos <= 0) {
            QueuedCall<C> next = timers.first();
            if (next.call.deadlineNanos() - nowNanos <= 0) {
                remove(next.call);
                expired.add(next.call);
            } else {
                timers.pollFirst();
                delayed.remove(next.call);
                addReady(next, nowNanos);
            }
        }
        return expired;
    }

    /** Removes all calls and returns them. */
    public List<C> removeAll() {
        List<C> all = new ArrayList<>(ready.keySet());
        all.addAll(delayed.keySet());
        ready.clear();
        delayed.clear();
        timers.clear();
        bytes = 0;
        listener.sizeChanged(0, 0);
        return all;
    }
}
