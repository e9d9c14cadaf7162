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
 * Holds the unconfirmed answers to one topic or queue: those that the broker's client holds, and those that wait in the node. It is
 * stalled while the topic or queue confirms nothing; the node then publishes one answer at a time to probe it. Thread-safe, except where
 * a method says otherwise.
 */
final class OutboxQueue {

    private static final int BYTES_BITS = 43;
    private static final long ONE_ANSWER = 1L << BYTES_BITS;
    private static final long BYTES_MASK = ONE_ANSWER - 1;
    private static final int FAILURES_UNTIL_STALLED = 3;
    private static final Duration FIRST_RETRY = Duration.ofMillis(100);
    private static final Duration LAST_RETRY = Duration.ofSeconds(5);

    /** Lets one thread at a time publish its waiting answers. */
    final OneAtATime publishing = new OneAtATime();

    private final PublishStage stage;

    /** Limits how many answers are published at once; null for no limit. */
    private final UnconfirmedShare share;

    /** What the broker's client holds: the count in the upper bits, the bytes in the lower {@value #BYTES_BITS} bits. */
    private final AtomicLong published = new AtomicLong();

    private volatile int waiting;
    private volatile boolean stalled;
    /** Whether an answer has waited here for {@code slow-after}. Written by the tick. */
    private volatile boolean overdue;

    private volatile boolean progressed;
    /** Failed publishes since the last confirmation. */
    private volatile int failures;

    private volatile long probeNanos;

    /** Answers that have not been published to this topic or queue. */
    @GuardedBy("this")
    private final Deque<PendingAnswer> fresh = new ArrayDeque<>(0);

    /** Answers that could not be published here before and wait for a retry. */
    @GuardedBy("this")
    private final Deque<PendingAnswer> failed = new ArrayDeque<>(0);

    @GuardedBy("this")
    private long waitingBytes;

    /** When it last confirmed an answer or had none to confirm. Confined to the tick. */
    private long notStalledNanos;

    /** When it last confirmed an answer, at a tick's precision. Confined to the tick. */
    private long movedNanos;

    /** When its oldest waiting answer was queued here. Confined to the tick. */
    private long oldestNanos;

    OutboxQueue(PublishStage stage, UnconfirmedShare share, long runningNanos) {
        this.stage = stage;
        this.share = share;
        this.notStalledNanos = runningNanos;
    }

    PublishStage stage() {
        return stage;
    }

    /** Counts an answer as held by the broker's client if no other answer waits and there is room. Otherwise queues it and returns false. */
    boolean tryPublishOrPark(PendingAnswer answer, long maxBytes) {
        if (!hasWaiting() && tryReserve(answer.bytes(), maxBytes)) {
            return true;
        }
        enqueue(answer);
        return false;
    }

    /** Counts an answer as held by the broker's client. Returns false, and counts nothing, if there is no room. */
    private boolean tryReserve(long bytes, long maxBytes) {
        if (stalled) {
            return false;
        }
        long before = published.getAndAdd(ONE_ANSWER + bytes);
        if (before != 0 && ((before & BYTES_MASK) + bytes > maxBytes || isShareUsed(before))) {
            published.addAndGet(-ONE_ANSWER - bytes);
            return false;
        }
        if (share != null) {
            share.published();
        }
        return true;
    }

    private boolean isShareUsed(long before) {
        return share != null && count(before) >= share.maxPerQueue();
    }

    /** Records that the broker's client no longer holds the answer. */
    void release(long bytes) {
        published.addAndGet(-ONE_ANSWER - bytes);
        if (share != null) {
            share.released();
        }
    }

    /** Records a confirmed answer; ends a stall. */
    void recordConfirmation() {
        if (!progressed) {
            progressed = true;
        }
        if (failures != 0) {
            failures = 0;
        }
        if (stalled) {
            stalled = false;
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // A lost increment detects the stall one failure later.
    void recordFailure(boolean unknown, long now) {
        int count = ++failures;
        if (unknown || count >= FAILURES_UNTIL_STALLED) {
            stalled = true;
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
        return next != null && tryReserve(next.bytes(), maxBytes) ? dequeue(next) : null;
    }

    /** Removes one answer at a time while the topic or queue is stalled, to probe whether it confirms again. Null if none is due. */
    synchronized PendingAnswer pollProbe(long now) {
        if (!stalled || published.get() != 0 || now - probeNanos < 0) {
            return null;
        }
        // A failed answer may be the cause of its failure, so one that was never tried goes first.
        PendingAnswer next = fresh.isEmpty() ? peekDue(now) : fresh.peek();
        if (next == null) {
            return null;
        }
        published.addAndGet(ONE_ANSWER + next.bytes());
        if (share != null) {
            share.published();
        }
        return dequeue(next);
    }

    @GuardedBy("this")
    private PendingAnswer peekDue(long now) {
        PendingAnswer retry = failed.peek();
        return retry != null && now - retry.notBeforeNanos >= 0 ? retry : fresh.peek();
    }

    @GuardedBy("this")
    private PendingAnswer dequeue(PendingAnswer next) {
        (next == failed.peek() ? failed : fresh).poll();
        forget(next);
        return next;
    }

    @GuardedBy("this")
    private void forget(PendingAnswer answer) {
        waitingBytes -= answer.bytes();
        waiting = fresh.size() + failed.size();
    }

    /** Removes matching waiting answers, oldest first, until at most {@code maxLeft} answers and {@code maxBytesLeft} bytes wait. */
    synchronized List<PendingAnswer> removeWaiting(Predicate<PendingAnswer> wanted, int maxLeft, long maxBytesLeft) {
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
        while ((waiting > maxLeft || waitingBytes > maxBytesLeft) && queue.hasNext()) {
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

    /** Updates whether the topic or queue is slow: it confirms nothing, or an answer has waited too long. Called by the tick. */
    void detectSlow(long runningNanos, long slowAfterNanos) {
        boolean moved = progressed;
        progressed = false;
        if (moved) {
            movedNanos = runningNanos;
        }
        if (moved || publishedCount() == 0) {
            notStalledNanos = runningNanos;
        } else if (runningNanos - notStalledNanos >= slowAfterNanos) {
            stalled = true;
        }
        oldestNanos = oldestNanos(runningNanos);
        overdue = waiting > 0 && runningNanos - oldestNanos >= slowAfterNanos;
    }

    private synchronized long oldestNanos(long runningNanos) {
        long oldestFresh = fresh.isEmpty() ? runningNanos : fresh.peek().sinceNanos;
        long oldestFailed = failed.isEmpty() ? runningNanos : failed.peek().sinceNanos;
        return Math.min(oldestFresh, oldestFailed);
    }

    /** Returns when it last confirmed an answer. Tick only. */
    long movedNanos() {
        return movedNanos;
    }

    /**
     * Returns whether it is slow although another topic or queue has confirmed answers meanwhile. Tick only.
     *
     * @param othersMovedNanos when another topic or queue last confirmed an answer
     */
    boolean isBehind(long othersMovedNanos) {
        if (stalled) {
            return othersMovedNanos > notStalledNanos;
        }
        return stage == PublishStage.REPLY_TO && overdue && othersMovedNanos > oldestNanos;
    }

    /** Returns whether it has confirmed an answer since it was last observed. */
    boolean isMoving() {
        return progressed;
    }

    /** Returns whether it confirms nothing, or confirms so little that answers wait for too long. */
    boolean isSlow() {
        return stalled || overdue;
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
     * Returns how many answers do not count as unconfirmed: all of a slow topic or queue. Otherwise only the waiting answers beyond the
     * number that the broker's client holds.
     */
    int exemptAnswers() {
        int held = publishedCount();
        return isSlow() ? waiting + held : Math.max(0, waiting - held);
    }

    /** Returns the bytes of its answers if it is slow, else 0. */
    synchronized long exemptBytes() {
        return isSlow() ? waitingBytes + (published.get() & BYTES_MASK) : 0;
    }

    int waiting() {
        return waiting;
    }
}
