package io.iocluster.pipeline.intake;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Scatter.GatherMode;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.publish.ResultSizes;
import io.iocluster.thread.NodeClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Starts the calls of a message in mode {@code all} when their expected results fit, because the node keeps the results until the last
 * call has ended. Until they fit, the message waits in the queue of the destination from which it expects most bytes. So it
 * delays no message to another destination, and no other kind of call. Thread-safe.
 */
public final class ScatterAdmission {

    /**
     * A destination that is alone may expect this many times the bytes that then stay free: seven eighths of all. Otherwise a destination
     * may expect as many bytes as then stay free.
     */
    private static final int ALONE_MULTIPLE = 7;

    private final InFlightWindow window;
    private final ResultSizes sizes;
    private final NodeClock clock;

    /** The destinations with messages that wait or run, by name. */
    @GuardedBy("this")
    private final Map<String, DestinationQueue> queues = new HashMap<>();

    /** The queues with messages that wait, oldest first. */
    @GuardedBy("this")
    private final Set<DestinationQueue> withWaiting = new LinkedHashSet<>();

    @GuardedBy("this")
    private final List<Admitted> admitted = new ArrayList<>();

    /** Bytes that all admitted messages expect. */
    @GuardedBy("this")
    private long reserved;

    @GuardedBy("this")
    private boolean closed;

    public ScatterAdmission(InFlightWindow window, ResultSizes sizes, NodeClock clock) {
        this.window = window;
        this.sizes = sizes;
        this.clock = clock;
    }

    /** Returns the estimates of result sizes. */
    ResultSizes sizes() {
        return sizes;
    }

    /** The bytes that the results of a message may have, and the destination that returns most of them. */
    record Need(String destination, long bytes) {

        private static final Need NOTHING = new Need(null, 0);
    }

    private record Waiting(ScatterBranches branches, Need need) {}

    private record Admitted(Call whole, DestinationQueue queue, long bytes) {}

    private static final class DestinationQueue {

        private final String name;
        private final Deque<Waiting> waiting = new ArrayDeque<>();
        private int waitingCalls;
        private long reserved;

        DestinationQueue(String name) {
            this.name = name;
        }
    }

    /** Returns what the message needs. */
    Need need(ScatterBranches branches) {
        if (branches.whole().envelope().scatter().mode() != GatherMode.ALL) {
            return Need.NOTHING; // Mode "any" keeps no results: its first usable one is published at once.
        }
        Map<String, Long> byDestination = new HashMap<>();
        long unknown = window.answerHeadroom(Integer.MAX_VALUE);
        branches.tried()
                .map(Call::destinationName)
                .forEach(name -> byDestination.merge(name, sizes.expected(name, unknown), Long::sum));
        long sum = byDestination.values().stream().mapToLong(each -> each).sum();
        return byDestination.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(most -> new Need(most.getKey(), Math.min(sum, window.maxResults() / 2)))
                .orElse(Need.NOTHING);
    }

    /** Returns whether the message would have to wait and too many wait already. */
    synchronized boolean isFull(Need need) {
        DestinationQueue queue = queues.get(need.destination());
        return queue != null && queue.waitingCalls > 0 && queue.waitingCalls >= window.freeQueueSlots();
    }

    /** Starts the calls now, or as soon as their results fit. */
    void start(ScatterBranches branches, Need need) {
        if (need.bytes() == 0 || mayStartNow(branches, need)) {
            branches.start();
        }
    }

    private synchronized boolean mayStartNow(ScatterBranches branches, Need need) {
        if (closed) {
            return true; // The scheduler is closed too, and releases the calls.
        }
        if (tryAdmit(branches, need)) {
            return true;
        }
        removeReleased();
        if (tryAdmit(branches, need)) {
            return true;
        }
        DestinationQueue queue = queues.computeIfAbsent(need.destination(), DestinationQueue::new);
        queue.waiting.add(new Waiting(branches, need));
        queue.waitingCalls += branches.size();
        withWaiting.add(queue);
        return false;
    }

    @GuardedBy("this")
    private boolean tryAdmit(ScatterBranches branches, Need need) {
        DestinationQueue queue = queues.computeIfAbsent(need.destination(), DestinationQueue::new);
        if (!queue.waiting.isEmpty() || !fits(queue, need.bytes())) {
            return false;
        }
        admit(queue, branches.whole(), need.bytes());
        return true;
    }

    /**
     * Returns whether a message of this destination may be admitted. A destination that waits and has no admitted message goes first.
     * If no message is admitted, a message of any size fits.
     */
    @GuardedBy("this")
    private boolean fits(DestinationQueue queue, long bytes) {
        if (!withWaiting.isEmpty() && firstWithoutAdmitted(queue) != queue) {
            return false;
        }
        long left = window.maxResults() - reserved - bytes;
        if (reserved == 0 || queue.reserved == 0) {
            return reserved == 0 || left >= 0;
        }
        return queue.reserved + bytes <= (queues.size() > 1 ? 1 : ALONE_MULTIPLE) * left;
    }

    /** Returns the first queue that waits and has no admitted message; {@code otherwise} if there is none. */
    @GuardedBy("this")
    private DestinationQueue firstWithoutAdmitted(DestinationQueue otherwise) {
        return withWaiting.stream()
                .filter(each -> each.reserved == 0)
                .findFirst()
                .orElse(otherwise);
    }

    @GuardedBy("this")
    private void admit(DestinationQueue queue, Call whole, long bytes) {
        admitted.add(new Admitted(whole, queue, bytes));
        queue.reserved += bytes;
        reserved += bytes;
    }

    /** Removes the messages whose permit is released, and frees their bytes. */
    @GuardedBy("this")
    private void removeReleased() {
        int kept = 0;
        for (Admitted each : admitted) {
            if (each.whole().permit().isReleased()) {
                reserved -= each.bytes();
                each.queue().reserved -= each.bytes();
                removeIfIdle(each.queue());
            } else {
                admitted.set(kept++, each);
            }
        }
        admitted.subList(kept, admitted.size()).clear();
    }

    @GuardedBy("this")
    private void removeIfIdle(DestinationQueue queue) {
        if (queue.reserved == 0 && queue.waiting.isEmpty()) {
            queues.remove(queue.name);
        }
    }

    /** Starts messages that now fit, and ends those whose deadline has passed. The supervisor's thread calls it every few milliseconds. */
    public void tick() {
        List<ScatterBranches> expired = new ArrayList<>(0);
        List<ScatterBranches> startable = new ArrayList<>(0);
        synchronized (this) {
            removeReleased();
            long now = clock.nanos();
            for (DestinationQueue queue : List.copyOf(withWaiting)) {
                removeExpired(queue, now, expired);
            }
            for (DestinationQueue queue : List.copyOf(withWaiting)) {
                removeStartable(queue, startable);
            }
        }
        expired.forEach(each -> each.end(ErrorCode.DEADLINE_EXCEEDED));
        startable.forEach(ScatterAdmission::startOrFail);
    }

    private static void startOrFail(ScatterBranches branches) {
        try {
            branches.start();
        } catch (Throwable bug) {
            branches.whole().failWithDefect(bug);
        }
    }

    @GuardedBy("this")
    private void removeExpired(DestinationQueue queue, long now, List<ScatterBranches> expired) {
        for (Iterator<Waiting> each = queue.waiting.iterator(); each.hasNext(); ) {
            ScatterBranches branches = each.next().branches();
            if (branches.whole().isEnded() || branches.whole().deadline().remainingNanos(now) <= 0) {
                each.remove();
                expired.add(branches);
                recordRemoved(queue, branches);
            }
        }
    }

    @GuardedBy("this")
    private void removeStartable(DestinationQueue queue, List<ScatterBranches> startable) {
        for (Waiting head = queue.waiting.peek();
                head != null && fits(queue, head.need().bytes());
                head = queue.waiting.peek()) {
            queue.waiting.remove();
            admit(queue, head.branches().whole(), head.need().bytes());
            recordRemoved(queue, head.branches());
            startable.add(head.branches());
        }
    }

    @GuardedBy("this")
    private void recordRemoved(DestinationQueue queue, ScatterBranches branches) {
        queue.waitingCalls -= branches.size();
        if (queue.waiting.isEmpty()) {
            withWaiting.remove(queue);
            removeIfIdle(queue);
        }
    }

    /** Releases all messages that wait, because the node stops. */
    public void close() {
        List<ScatterBranches> left = new ArrayList<>();
        synchronized (this) {
            closed = true;
            withWaiting.forEach(queue -> queue.waiting.forEach(each -> left.add(each.branches())));
            withWaiting.clear();
            queues.clear();
        }
        left.forEach(ScatterBranches::release);
    }
}
