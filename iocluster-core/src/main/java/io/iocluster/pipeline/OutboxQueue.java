package io.iocluster.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.pipeline.PendingAnswer.PublishStage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Holds the unconfirmed answers to one reply place: those that the broker's client holds, and those that wait in the node. A
 * place is shut while it confirms nothing: then one answer at a time is published to it. For any thread, except where a method
 * says otherwise; the queues are guarded by this.
 */
final class OutboxQueue {

    private static final int BYTES_BITS = 43;
    private static final long ONE = 1L << BYTES_BITS;
    private static final long BYTES_MASK = ONE - 1;
    private static final int FAILURES_UNTIL_SHUT = 3;
    private static final Duration FIRST_RETRY = Duration.ofMillis(100);
    private static final Duration LAST_RETRY = Duration.ofSeconds(5);

    /** Publishes its waiting answers, one thread at a time. */
    final OneAtATime publishing = new OneAtATime();

    private final PublishStage stage;

    /** Limits how many answers are published at once; null for no limit. */
    private final ReplyPlaceShare share;

    /** What the broker's client holds: the count in the upper bits, the bytes in the lower ones. */
    private final AtomicLong published = new AtomicLong();

    private volatile int waiting;
    private volatile boolean shut;
    /** Whether an answer has waited here for too long. Written by the tick. */
    private volatile boolean overdue;

    private volatile boolean progressed;
    /** Failed publishes since the last confirmation. */
    private volatile int failures;

    private volatile long probeNanos;

    /** Answers that were never published at this place, or for whose bytes it has no room. */
    @GuardedBy("this")
    private final Deque<PendingAnswer> fresh = new ArrayDeque<>(0);

    /** Answers whose publishing failed here before. */
    @GuardedBy("this")
    private final Deque<PendingAnswer> failed = new ArrayDeque<>(0);

    @GuardedBy("this")
    private long waitingBytes;

    /** When it last confirmed an answer or had none to confirm. Confined to the tick. */
    private long calmNanos;

    /** When it last confirmed an answer, at a tick's precision. Confined to the tick. */
    private long movedNanos;

    /** Since when its oldest waiting answer is there. Confined to the tick. */
    private long oldestNanos;

    OutboxQueue(PublishStage stage, ReplyPlaceShare share, long runningNanos) {
        this.stage = stage;
        this.share = share;
        this.calmNanos = runningNanos;
    }

    PublishStage stage() {
        return stage;
    }

    /** Counts an answer as held by the broker's client if others do not wait and there is room; otherwise lets it wait, too. */
    boolean tryPublishOrPark(PendingAnswer answer, long maxBytes) {
        if (!hasWaiting() && tryReserve(answer.bytes(), maxBytes)) {
            return true;
        }
        enqueue(answer);
        return false;
    }

    /** Counts an answer as held by the broker's client. Returns false, and counts nothing, if the place has no room for it. */
    private boolean tryReserve(long bytes, long maxBytes) {
        if (shut) {
            return false;
        }
        long before = published.getAndAdd(ONE + bytes);
        if (before != 0 && ((before & BYTES_MASK) + bytes > maxBytes || hasItsShare(before))) {
            published.addAndGet(-ONE - bytes);
            return false;
        }
        if (share != null) {
            share.published();
        }
        return true;
    }

    private boolean hasItsShare(long before) {
        return share != null && count(before) >= share.most();
    }

    /** Records that the broker's client no longer holds the answer. */
    void release(long bytes) {
        published.addAndGet(-ONE - bytes);
        if (share != null) {
            share.left();
        }
    }

    void recordConfirmation() {
        if (!progressed) {
            progressed = true;
        }
        if (failures != 0) {
            failures = 0;
        }
        if (shut) {
            shut = false;
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // A lost increment shuts the place one failure later.
    void recordFailure(boolean unknown, long now) {
        int count = ++failures;
        if (unknown || count >= FAILURES_UNTIL_SHUT) {
            shut = true;
        }
        probeNanos = now + retryDelayNanos(count);
    }

    static long retryDelayNanos(int failures) {
        return Math.min(LAST_RETRY.toNanos(), FIRST_RETRY.toNanos() << Math.min(10, failures - 1));
    }

    synchronized void enqueue(PendingAnswer answer) {
        (answer.failures == 0 ? fresh : failed).add(answer);
        waitingBytes += answer.bytes();
        waiting = fresh.size() + failed.size();
    }

    boolean hasWaiting() {
        return waiting > 0;
    }

    /**
     * Removes the next answer that may be published, and counts it as held by the broker's client.
     *
     * @return null if there is none, or no room
     */
    synchronized PendingAnswer pollPublishable(long now, long maxBytes) {
        PendingAnswer next = peekDue(now);
        return next != null && tryReserve(next.bytes(), maxBytes) ? taken(next) : null;
    }

    /** Like {@link #pollPublishable} for a place that is shut: returns one answer at a time, to probe whether it confirms again. */
    synchronized PendingAnswer pollProbe(long now) {
        if (!shut || published.get() != 0 || now - probeNanos < 0) {
            return null;
        }
        // An answer that failed may fail for a reason of its own, so one that was never tried goes first.
        PendingAnswer next = fresh.isEmpty() ? peekDue(now) : fresh.peek();
        if (next == null) {
            return null;
        }
        published.addAndGet(ONE + next.bytes());
        if (share != null) {
            share.published();
        }
        return taken(next);
    }

    @GuardedBy("this")
    private PendingAnswer peekDue(long now) {
        PendingAnswer again = failed.peek();
        return again != null && now - again.notBeforeNanos >= 0 ? again : fresh.peek();
    }

    @GuardedBy("this")
    private PendingAnswer taken(PendingAnswer next) {
        (next == failed.peek() ? failed : fresh).poll();
        forget(next);
        return next;
    }

    @GuardedBy("this")
    private void forget(PendingAnswer answer) {
        waitingBytes -= answer.bytes();
        waiting = fresh.size() + failed.size();
    }

    /** Removes matching waiting answers, oldest first, until at most that many answers and bytes wait. */
    synchronized List<PendingAnswer> removeWaiting(Predicate<PendingAnswer> wanted, int mostLeft, long mostBytesLeft) {
        List<PendingAnswer> removed = new ArrayList<>();
        remove(failed.iterator(), wanted, mostLeft, mostBytesLeft, removed);
        remove(fresh.iterator(), wanted, mostLeft, mostBytesLeft, removed);
        return removed;
    }

    @GuardedBy("this")
    private void remove(
            Iterator<PendingAnswer> queue,
            Predicate<PendingAnswer> wanted,
            int mostLeft,
            long mostBytesLeft,
            List<PendingAnswer> removed) {
        while ((waiting > mostLeft || waitingBytes > mostBytesLeft) && queue.hasNext()) {
            PendingAnswer answer = queue.next();
            if (wanted.test(answer)) {
                queue.remove();
                removed.add(answer);
                forget(answer);
            }
        }
    }

    /** Removes all waiting answers. */
    List<PendingAnswer> removeAll() {
        return removeWaiting(answer -> true, 0, 0);
    }

    /** Finds out whether the place is slow: whether it confirms nothing, or an answer waits for too long. Called by the tick. */
    void detectSlow(long runningNanos, long slowAfterNanos) {
        boolean moved = progressed;
        progressed = false;
        if (moved) {
            movedNanos = runningNanos;
        }
        if (moved || publishedCount() == 0) {
            calmNanos = runningNanos;
        } else if (runningNanos - calmNanos >= slowAfterNanos) {
            shut = true;
        }
        oldestNanos = oldestNanos(runningNanos);
        overdue = waiting > 0 && runningNanos - oldestNanos >= slowAfterNanos;
    }

    private synchronized long oldestNanos(long runningNanos) {
        long oldestFresh = fresh.isEmpty() ? runningNanos : fresh.peek().sinceNanos;
        long oldestFailed = failed.isEmpty() ? runningNanos : failed.peek().sinceNanos;
        return Math.min(oldestFresh, oldestFailed);
    }

    /** Returns when it last confirmed an answer. For the tick. */
    long movedNanos() {
        return movedNanos;
    }

    /**
     * Returns whether it is slow although another place has confirmed answers meanwhile. For the tick.
     *
     * @param othersMovedNanos when another place last confirmed an answer
     */
    boolean isBehind(long othersMovedNanos) {
        if (shut) {
            return othersMovedNanos > calmNanos;
        }
        return stage == PublishStage.REPLY_TO && overdue && othersMovedNanos > oldestNanos;
    }

    /** Returns whether it has confirmed an answer since it was last observed. */
    boolean isMoving() {
        return progressed;
    }

    /** Returns whether it confirms nothing, or confirms so little that answers wait for too long. */
    boolean isSlow() {
        return shut || overdue;
    }

    boolean isIdle() {
        return published.get() == 0 && waiting == 0;
    }

    int publishedCount() {
        return count(published.get());
    }

    private static int count(long published) {
        return (int) (published >>> BYTES_BITS);
    }

    /**
     * Returns how many answers do not count as unconfirmed: all of a slow place, and of any other those beyond as many as the
     * broker's client holds for it.
     */
    int exemptAnswers() {
        int held = publishedCount();
        return isSlow() ? waiting + held : Math.max(0, waiting - held);
    }

    /** Returns the bytes of a slow place. */
    synchronized long exemptBytes() {
        return isSlow() ? waitingBytes + (published.get() & BYTES_MASK) : 0;
    }

    int waiting() {
        return waiting;
    }
}
