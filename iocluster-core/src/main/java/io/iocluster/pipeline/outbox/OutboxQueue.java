package io.iocluster.pipeline.outbox;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.pipeline.outbox.PendingAnswer.PublishStage;
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

    /** Lets one thread at a time publish its waiting answers. */
    final OneAtATime publishing = new OneAtATime();

    private final PublishStage stage;

    /** Null if it is no reply-to. */
    private final String replyTo;

    /** Limits how many answers are published at once; null if it is no reply-to. */
    private final ReplyToShares shares;

    /** What the broker's client holds: the count in the upper bits, the bytes in the lower {@value #BYTES_BITS} bits. */
    private final AtomicLong published = new AtomicLong();

    private volatile int waiting;
    private volatile boolean stalled;
    /** Whether it has confirmed an answer and the broker has not said since that it does not exist. */
    private volatile boolean verified;
    /** Whether the broker's last answer was that it does not exist. */
    private volatile boolean missing;
    /** Whether an answer has waited here for {@code slow-after}. Written by the tick. */
    private volatile boolean overdue;

    private volatile boolean progressed;
    /** Failed publishes since the last confirmation. */
    private volatile int failures;

    /** Whether a probe has failed since the last tick. */
    private volatile boolean probeFailed;
    /** Determines the wait before the next probe. */
    private volatile int failedProbes;

    private volatile long probeNanos;

    /** Answers that have not been published to this topic or queue. */
    @GuardedBy("this")
    private final Deque<PendingAnswer> fresh = new ArrayDeque<>(0);

    /** Answers that could not be published here before and wait for a retry. */
    @GuardedBy("this")
    private final Deque<PendingAnswer> failed = new ArrayDeque<>(0);

    @GuardedBy("this")
    private long waitingBytes;

    /** When it last confirmed an answer, or the broker's client held none. Confined to the tick. */
    private long notStalledNanos;

    /** When it last confirmed an answer or was idle. Confined to the tick. */
    private long upToDateNanos;
    /** Whether a probe has just failed, or the broker has confirmed nothing for {@code slow-after}. Confined to the tick. */
    private boolean stillStalled;
    /** Whether it is slow although another topic or queue has confirmed answers meanwhile. Confined to the tick. */
    private boolean behind;

    /** When it last confirmed an answer, at a tick's precision. Confined to the tick. */
    private long movedNanos;

    /** When its oldest waiting answer was queued here. Confined to the tick. */
    private long oldestNanos;

    private OutboxQueue(PublishStage stage, String replyTo, ReplyToShares shares, long runningNanos) {
        this.stage = stage;
        this.replyTo = replyTo;
        this.shares = shares;
        this.verified = shares == null || shares.isVerified(replyTo);
        this.notStalledNanos = runningNanos;
        this.upToDateNanos = runningNanos;
    }

    static OutboxQueue ofReplyTo(String replyTo, ReplyToShares shares, long runningNanos) {
        return new OutboxQueue(PublishStage.REPLY_TO, replyTo, shares, runningNanos);
    }

    /** Returns the queue of a stage that has one topic or queue. */
    static OutboxQueue of(PublishStage stage) {
        return new OutboxQueue(stage, null, null, 0);
    }

    PublishStage stage() {
        return stage;
    }

    /** Counts an answer as held by the broker's client if no other answer waits and there is room. Otherwise queues it and returns false. */
    boolean tryPublishOrPark(PendingAnswer answer, long maxBytes) {
        if (!hasWaiting() && tryReserve(answer, maxBytes)) {
            return true;
        }
        enqueue(answer);
        return false;
    }

    /** Counts an answer as held by the broker's client. Returns false, and counts nothing, if there is no room. */
    private boolean tryReserve(PendingAnswer answer, long maxBytes) {
        if (stalled) {
            return false;
        }
        long bytes = answer.bytes();
        long before = published.getAndAdd(ONE_ANSWER + bytes);
        if ((before != 0 && (before & BYTES_MASK) + bytes > maxBytes) || !tryTakeShare(answer, count(before))) {
            published.addAndGet(-ONE_ANSWER - bytes);
            return false;
        }
        return true;
    }

    private boolean tryTakeShare(PendingAnswer answer, int publishedBefore) {
        if (shares == null) {
            return true;
        }
        boolean isVerified = verified;
        if (!shares.tryPublish(publishedBefore, isVerified)) {
            return false;
        }
        answer.publishedAsVerified = isVerified;
        return true;
    }

    /**
     * Records that the broker's client no longer holds an answer.
     *
     * @param asVerified its {@link PendingAnswer#publishedAsVerified} when it was published
     */
    void release(long bytes, boolean asVerified) {
        published.addAndGet(-ONE_ANSWER - bytes);
        if (shares != null) {
            shares.release(asVerified);
        }
    }

    /** Records a confirmed answer; ends a stall. */
    void recordConfirmation() {
        if (!progressed) {
            progressed = true;
        }
        if (failures != 0) {
            failures = 0;
            failedProbes = 0;
        }
        if (stalled) {
            stalled = false;
        }
        if (!verified) {
            verified = true;
            missing = false;
            shares.verify(replyTo);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // A lost increment detects the stall one failure later.
    void recordFailure(boolean unknown, long now) {
        int count = ++failures;
        // Answers that were published together often fail together, for example with their channel. They count as one
        // failed probe.
        if (count == 1 || now - probeNanos >= 0) {
            probeNanos = now + PublishBackoff.nanosAfter(++failedProbes);
            probeFailed = stalled;
        }
        if (unknown || count >= FAILURES_UNTIL_STALLED) {
            stalled = true;
        }
        if (unknown && shares != null) {
            missing = true;
            verified = false;
            shares.forget(replyTo);
        }
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
        return next != null && tryReserve(next, maxBytes) ? dequeue(next) : null;
    }

    /** Removes one answer at a time while the topic or queue is stalled, to probe whether it confirms again. Null if none is due. */
    synchronized PendingAnswer pollProbe(long now) {
        if (!stalled || published.get() != 0 || now - probeNanos < 0) {
            return null;
        }
        // A failed answer may be the cause of its failure, so one that was never tried goes first.
        PendingAnswer next = fresh.isEmpty() ? peekDue(now) : fresh.peek();
        if (next == null || !tryTakeShare(next, 0)) {
            return null;
        }
        published.addAndGet(ONE_ANSWER + next.bytes());
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

    /** Removes waiting answers, oldest first, until this number and these bytes are removed. */
    synchronized List<PendingAnswer> removeExcess(int excess, long excessBytes) {
        return removeWaiting(answer -> true, Math.max(0, waiting - excess), Math.max(0, waitingBytes - excessBytes));
    }

    /** Removes all waiting answers. */
    List<PendingAnswer> removeAll() {
        return removeWaiting(answer -> true, 0, 0);
    }

    /** Updates whether the topic or queue is slow: it confirms nothing, or an answer has waited too long. Called by the tick. */
    void detectSlow(long runningNanos, long slowAfterNanos) {
        boolean moved = progressed;
        progressed = false;
        stillStalled = probeFailed;
        probeFailed = false;
        if (moved) {
            movedNanos = runningNanos;
        }
        if (moved || isIdle()) {
            upToDateNanos = runningNanos;
            behind = false;
        }
        if (moved || publishedCount() == 0) {
            notStalledNanos = runningNanos;
        } else if (runningNanos - notStalledNanos >= slowAfterNanos) {
            stalled = true;
            stillStalled = true;
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
     * Updates whether this topic or queue is slow while others confirm answers. A stalled one must also have failed after the last confirm
     * of another, because after an outage they recover one by one. The tick calls this after {@link #detectSlow} of all queues.
     *
     * @param othersMovedNanos when another topic or queue last confirmed an answer
     */
    void detectBehind(long othersMovedNanos) {
        if (!stalled) {
            behind = stage == PublishStage.REPLY_TO && overdue && othersMovedNanos > oldestNanos;
        } else if (stillStalled && othersMovedNanos > upToDateNanos) {
            behind = true;
        }
    }

    /** Returns whether it is slow although another topic or queue has confirmed answers meanwhile. Tick only. */
    boolean isBehind() {
        return behind;
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
        return isSlow() ? answers() : Math.max(0, waiting - held);
    }

    /** Returns the bytes of its answers if it is slow, else 0. */
    long exemptBytes() {
        return isSlow() ? bytes() : 0;
    }

    /** Returns whether the reply-to shares its limits with all others that have confirmed nothing. */
    boolean isUnverified() {
        return !verified;
    }

    /** Returns whether the broker's last answer was that the reply-to does not exist. */
    boolean isMissing() {
        return missing;
    }

    /** Returns how many answers it has: those that the broker's client holds, and those that wait. */
    int answers() {
        return waiting + publishedCount();
    }

    /** Returns the bytes of its answers. */
    synchronized long bytes() {
        return waitingBytes + publishedBytes();
    }

    long publishedBytes() {
        return published.get() & BYTES_MASK;
    }
}
