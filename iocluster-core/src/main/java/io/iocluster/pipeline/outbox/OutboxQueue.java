package io.iocluster.pipeline.outbox;

import io.iocluster.pipeline.outbox.PendingAnswer.PublishStage;
import java.util.List;
import java.util.function.Predicate;

/**
 * Holds the unconfirmed answers to one topic or queue: those that the broker's client holds, and those that wait in the node. It is
 * stalled while the topic or queue confirms nothing; the node then publishes one answer at a time to probe it. Thread-safe, except where
 * a method says otherwise.
 */
final class OutboxQueue {

    /** Lets one thread at a time publish its waiting answers. */
    final OneAtATime publishing = new OneAtATime();

    private final PublishStage stage;
    private final ReplyToShare share;
    private final SlowDetector slow;
    private final PublishedAnswers published = new PublishedAnswers();
    private final WaitingAnswers waiting = new WaitingAnswers();

    private OutboxQueue(PublishStage stage, ReplyToShare share, long runningNanos) {
        this.stage = stage;
        this.share = share;
        this.slow = new SlowDetector(runningNanos);
    }

    static OutboxQueue ofReplyTo(String replyTo, ReplyToShares shares, long runningNanos) {
        return new OutboxQueue(PublishStage.REPLY_TO, ReplyToShare.of(replyTo, shares), runningNanos);
    }

    /** Returns the queue of a stage that has one topic or queue. */
    static OutboxQueue of(PublishStage stage) {
        return new OutboxQueue(stage, ReplyToShare.UNLIMITED, 0);
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
        if (slow.isStalled()) {
            return false;
        }
        int before = published.tryAdd(answer.bytes(), maxBytes);
        if (before == PublishedAnswers.NO_ROOM) {
            return false;
        }
        if (!share.tryTake(answer, before)) {
            published.remove(answer.bytes());
            return false;
        }
        return true;
    }

    /**
     * Records that the broker's client no longer holds an answer.
     *
     * @param asVerified its {@link PendingAnswer#publishedAsVerified} when it was published
     */
    void release(long bytes, boolean asVerified) {
        published.remove(bytes);
        share.release(asVerified);
    }

    /** Records a confirmed answer; ends a stall. */
    void recordConfirmation() {
        slow.recordConfirmation();
        share.recordConfirmation();
    }

    /**
     * Records a failed publish.
     *
     * @param unknown whether the broker says that the topic or queue does not exist
     */
    void recordFailure(boolean unknown, long now) {
        slow.recordFailure(unknown, now);
        if (unknown) {
            share.recordUnknown();
        }
    }

    void enqueue(PendingAnswer answer) {
        waiting.add(answer);
    }

    boolean hasWaiting() {
        return waiting.size() > 0;
    }

    /**
     * Removes the next answer that may be published, and counts it as held by the broker's client.
     *
     * @return null if there is none, or no room
     */
    PendingAnswer pollPublishable(long now, long maxBytes) {
        return waiting.poll(now, next -> tryReserve(next, maxBytes));
    }

    /** Removes one answer at a time while the topic or queue is stalled, to probe whether it confirms again. Null if none is due. */
    PendingAnswer pollProbe(long now) {
        if (!slow.isProbeDue(now) || published.count() != 0) {
            return null;
        }
        // A failed answer may be the cause of its failure, so one that was never tried goes first.
        PendingAnswer probe = waiting.pollUntried(now, next -> share.tryTake(next, 0));
        if (probe != null) {
            published.add(probe.bytes());
        }
        return probe;
    }

    /** Removes matching waiting answers, oldest first, until at most {@code maxLeft} answers and {@code maxBytesLeft} bytes wait. */
    List<PendingAnswer> removeWaiting(Predicate<PendingAnswer> wanted, int maxLeft, long maxBytesLeft) {
        return waiting.remove(wanted, maxLeft, maxBytesLeft);
    }

    /** Removes waiting answers, oldest first, until this number and these bytes are removed. */
    List<PendingAnswer> removeExcess(int excess, long excessBytes) {
        return removeWaiting(
                answer -> true, Math.max(0, waiting.size() - excess), Math.max(0, waiting.bytes() - excessBytes));
    }

    /** Removes all waiting answers. */
    List<PendingAnswer> removeAll() {
        return removeWaiting(answer -> true, 0, 0);
    }

    /** Updates whether the topic or queue is slow: it confirms nothing, or an answer has waited too long. Called by the tick. */
    void detectSlow(long runningNanos, long slowAfterNanos) {
        slow.update(runningNanos, slowAfterNanos, waiting.oldestNanos(runningNanos), published.count() > 0, isIdle());
    }

    /**
     * Updates whether this topic or queue is slow while others confirm answers. The tick calls this after {@link #detectSlow} of all
     * queues.
     *
     * @param othersMovedNanos when another topic or queue last confirmed an answer
     */
    void detectBehind(long othersMovedNanos) {
        slow.updateBehind(othersMovedNanos, stage == PublishStage.REPLY_TO);
    }

    /** Returns whether it is slow although another topic or queue has confirmed answers meanwhile. Tick only. */
    boolean isBehind() {
        return slow.isBehind();
    }

    /** Returns when it last confirmed an answer. Tick only. */
    long movedNanos() {
        return slow.movedNanos();
    }

    /** Returns whether it has confirmed an answer since it was last observed. */
    boolean isMoving() {
        return slow.isMoving();
    }

    boolean isIdle() {
        return published.count() == 0 && waiting.size() == 0;
    }

    int publishedCount() {
        return published.count();
    }

    long publishedBytes() {
        return published.bytes();
    }

    /**
     * Returns how many answers do not count as unconfirmed: all of a slow topic or queue. Otherwise only the waiting answers beyond the
     * number that the broker's client holds.
     */
    int exemptAnswers() {
        return slow.isSlow() ? answers() : Math.max(0, waiting.size() - published.count());
    }

    /** Returns the bytes of its answers if it is slow, else 0. */
    long exemptBytes() {
        return slow.isSlow() ? bytes() : 0;
    }

    /** Returns whether the reply-to shares its limits with all others that have confirmed nothing. */
    boolean isUnverified() {
        return share.isUnverified();
    }

    /** Returns whether the broker's last answer was that the reply-to does not exist. */
    boolean isMissing() {
        return share.isMissing();
    }

    /** Returns how many answers it has: those that the broker's client holds, and those that wait. */
    int answers() {
        return waiting.size() + published.count();
    }

    /** Returns the bytes of its answers. */
    long bytes() {
        return waiting.bytes() + published.bytes();
    }
}
