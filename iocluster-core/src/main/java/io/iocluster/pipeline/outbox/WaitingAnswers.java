package io.iocluster.pipeline.outbox;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** Holds the answers to one topic or queue that wait in the node. Thread-safe. */
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
        return poll(peekDue(now), mayPublish);
    }

    /** Like {@link #poll}, but an answer that was never tried goes first. */
    synchronized PendingAnswer pollUntried(long now, Predicate<PendingAnswer> mayPublish) {
        return poll(fresh.isEmpty() ? peekDue(now) : fresh.peek(), mayPublish);
    }

    @GuardedBy("this")
    private PendingAnswer peekDue(long now) {
        PendingAnswer retry = failed.peek();
        return retry != null && now - retry.notBeforeNanos >= 0 ? retry : fresh.peek();
    }

    @GuardedBy("this")
    private PendingAnswer poll(PendingAnswer next, Predicate<PendingAnswer> mayPublish) {
        if (next == null || !mayPublish.test(next)) {
            return null;
        }
        (next == failed.peek() ? failed : fresh).poll();
        forget(next);
        return next;
    }

    @GuardedBy("this")
    private void forget(PendingAnswer answer) {
        bytes -= answer.bytes();
        size = fresh.size() + failed.size();
    }

    /** Removes matching answers, oldest first, until at most {@code maxLeft} answers and {@code maxBytesLeft} bytes wait. */
    synchronized List<PendingAnswer> remove(Predicate<PendingAnswer> wanted, int maxLeft, long maxBytesLeft) {
        List<PendingAnswer> removed = new ArrayList<>();
        remove(failed.iterator(), wanted, maxLeft, maxBytesLeft, removed);
        remove(fresh.iterator(), wanted, maxLeft, maxBytesLeft, removed);
        return removed;
    }

    @GuardedBy("this")
    private void remove(
            Iterator<PendingAnswer> queue,
            Predicate<PendingAnswer> wanted,
            int maxLeft,
            long maxBytesLeft,
            List<PendingAnswer> removed) {
        while ((size > maxLeft || bytes > maxBytesLeft) && queue.hasNext()) {
            PendingAnswer answer = queue.next();
            if (wanted.test(answer)) {
                queue.remove();
                removed.add(answer);
                forget(answer);
            }
        }
    }

    /** Returns when its oldest answer was queued, or the given time if there is none. */
    synchronized long oldestNanos(long otherwise) {
        long oldestFresh = fresh.isEmpty() ? otherwise : fresh.peek().sinceNanos;
        long oldestFailed = failed.isEmpty() ? otherwise : failed.peek().sinceNanos;
        return Math.min(oldestFresh, oldestFailed);
    }
}
