package io.iocluster.pipeline.outbox;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** Holds the answers of one size class to one topic or queue that wait in the node. Thread-safe. */
final class WaitingAnswers {

    /** Answers that have not been published to this topic or queue. */
    @GuardedBy("this")
    private final Deque<PendingAnswer> fresh = new ArrayDeque<>(0);

    /** Answers that could not be published here before and wait for a retry. */
    @GuardedBy("this")
    private final Deque<PendingAnswer> failed = new ArrayDeque<>(0);

    @GuardedBy("this")
    private long bytes;

    private volatile int size;

    synchronized void add(PendingAnswer answer) {
        (answer.failures == 0 ? fresh : failed).add(answer);
        bytes += answer.bytes();
        size = fresh.size() + failed.size();
    }

    int size() {
        return size;
    }

    synchronized long bytes() {
        return bytes;
    }

    /** Removes the next answer, a due retry before others, if it passes the test. Otherwise returns null. */
    synchronized PendingAnswer poll(long now, Predicate<PendingAnswer> mayPublish) {
        PendingAnswer retry = failed.peek();
        return retry != null && now - retry.notBeforeNanos >= 0
                ? pollIf(failed, mayPublish)
                : pollIf(fresh, mayPublish);
    }

    /** Removes the next answer that was never tried, if it passes the test. Otherwise returns null. */
    synchronized PendingAnswer pollFresh(Predicate<PendingAnswer> mayPublish) {
        return pollIf(fresh, mayPublish);
    }

    @GuardedBy("this")
    private PendingAnswer pollIf(Deque<PendingAnswer> queue, Predicate<PendingAnswer> mayPublish) {
        PendingAnswer next = queue.peek();
        if (next == null || !mayPublish.test(next)) {
            return null;
        }
        queue.remove();
        forget(next);
        return next;
    }

    @GuardedBy("this")
    private void forget(PendingAnswer answer) {
        bytes -= answer.bytes();
        size = fresh.size() + failed.size();
    }

    /** Removes matching answers. */
    synchronized List<PendingAnswer> removeIf(Predicate<PendingAnswer> wanted) {
        return remove(wanted, Integer.MAX_VALUE, 0);
    }

    /** Removes the oldest answers until this number and these bytes are removed. */
    synchronized List<PendingAnswer> removeOldest(int count, long bytesToRemove) {
        return remove(answer -> true, count, bytesToRemove);
    }

    @GuardedBy("this")
    private List<PendingAnswer> remove(Predicate<PendingAnswer> wanted, int count, long bytesToRemove) {
        List<PendingAnswer> removed = new ArrayList<>(0);
        long bytesLeft = bytes - bytesToRemove;
        for (Deque<PendingAnswer> queue : List.of(failed, fresh)) {
            Iterator<PendingAnswer> each = queue.iterator();
            while ((removed.size() < count || bytes > bytesLeft) && each.hasNext()) {
                PendingAnswer answer = each.next();
                if (wanted.test(answer)) {
                    each.remove();
                    removed.add(answer);
                    forget(answer);
                }
            }
        }
        return removed;
    }

    /** Returns when its oldest answer was queued, or the given time if there is none. */
    synchronized long oldestNanos(long otherwise) {
        long oldestFresh = fresh.isEmpty() ? otherwise : fresh.peek().sinceNanos;
        long oldestFailed = failed.isEmpty() ? otherwise : failed.peek().sinceNanos;
        return Math.min(oldestFresh, oldestFailed);
    }
}
