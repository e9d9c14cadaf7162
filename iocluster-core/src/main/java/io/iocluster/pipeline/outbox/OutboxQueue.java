package io.iocluster.pipeline.outbox;

import io.iocluster.pipeline.event.UnpublishedAnswers;
import io.iocluster.pipeline.event.UnpublishedAnswers.To;
import io.iocluster.pipeline.outbox.PendingAnswer.PublishStage;
import io.iocluster.thread.OneAtATime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Holds the unconfirmed answers to one topic or queue: those that the broker's client holds, and those that wait in the node. It is
 * stalled while the topic or queue confirms nothing; the node then publishes one answer at a time to probe it. Answers of different
 * {@linkplain AnswerSize size classes} do not wait for each other. Thread-safe, except where a method says otherwise.
 */
final class OutboxQueue {

    /** Lets one thread at a time publish its waiting answers. */
    final OneAtATime publishing = new OneAtATime();

    private final PublishStage stage;
    private final ReplyToShare share;
    private final SlowDetector slow;
    /** By the ordinal of {@link AnswerSize}. */
    private final SizeClass[] classes = new SizeClass[AnswerSize.COUNT];

    /** Why the last answer was not confirmed; null if it was. */
    private volatile Refusal refusal;

    /** The class whose turn is next. Confined to {@link #publishing}. */
    private int turn;

    private record Refusal(String replyTo, String problem) {}

    /** The answers of one {@link AnswerSize}. */
    private record SizeClass(UnconfirmedAnswers published, WaitingAnswers waiting) {}

    private OutboxQueue(PublishStage stage, ReplyToShare share, long runningNanos) {
        this.stage = stage;
        this.share = share;
        this.slow = new SlowDetector(runningNanos);
        Arrays.setAll(classes, size -> new SizeClass(new UnconfirmedAnswers(), new WaitingAnswers()));
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

    private SizeClass classOf(PendingAnswer answer) {
        return classes[answer.size().ordinal()];
    }

    /**
     * Counts an answer as held by the broker's client if no other answer of its class waits and the limits allow it. Otherwise queues
     * it and returns false.
     */
    boolean tryReserveOrEnqueue(PendingAnswer answer, long maxBytes) {
        if (classOf(answer).waiting().size() == 0 && tryReserve(answer, maxBytes)) {
            return true;
        }
        enqueue(answer);
        return false;
    }

    /**
     * Counts an answer as held by the broker's client. Returns false, and counts nothing, if a limit is reached. Each class may have one
     * answer there, or its share of the bytes, so that few bytes of larger answers are ahead of an answer in the client.
     */
    private boolean tryReserve(PendingAnswer answer, long maxBytes) {
        if (slow.isStalled()) {
            return false;
        }
        UnconfirmedAnswers published = classOf(answer).published();
        if (!published.tryAdd(answer.bytes(), answer.size().partOf(maxBytes))) {
            return false;
        }
        if (!share.tryTake(answer, publishedCount() - 1)) {
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
    void release(PendingAnswer answer, boolean asVerified) {
        classOf(answer).published().remove(answer.bytes());
        share.release(asVerified);
    }

    /** Records a confirmed answer; ends a stall. */
    void recordConfirmation() {
        if (refusal != null) {
            refusal = null;
        }
        slow.recordConfirmation();
        share.recordConfirmation();
    }

    /**
     * Records a failed publish.
     *
     * @param problem why it failed
     * @param unknown whether the broker says that the topic or queue does not exist
     */
    void recordFailure(PendingAnswer answer, String problem, boolean unknown, long now) {
        refusal = new Refusal(answer.replyTo(), problem);
        slow.recordFailure(unknown, now);
        if (unknown) {
            share.recordUnknown();
        }
    }

    void enqueue(PendingAnswer answer) {
        classOf(answer).waiting().add(answer);
    }

    boolean hasWaiting() {
        return waitingCount() > 0;
    }

    /**
     * Removes the next answer that may be published, of each class in turn, and counts it as held by the broker's client.
     *
     * @return null if there is none, or a limit is reached
     */
    PendingAnswer pollPublishable(long now, long maxBytes) {
        for (int tried = 0; tried < classes.length; tried++) {
            WaitingAnswers waiting = classes[turn].waiting();
            turn = (turn + 1) % classes.length;
            PendingAnswer next = waiting.size() == 0 ? null : waiting.poll(now, answer -> tryReserve(answer, maxBytes));
            if (next != null) {
                return next;
            }
        }
        return null;
    }

    /** Removes one answer that probes whether a stalled topic or queue confirms again. Returns null if no probe is due. */
    PendingAnswer pollProbe(long now) {
        if (!slow.isProbeDue(now) || publishedCount() != 0) {
            return null;
        }
        // A failed answer may be the cause of its failure, so one that was never tried goes first.
        PendingAnswer probe = pollFirst(waiting -> waiting.pollFresh(answer -> share.tryTake(answer, 0)));
        if (probe == null) {
            probe = pollFirst(waiting -> waiting.poll(now, answer -> share.tryTake(answer, 0)));
        }
        if (probe != null) {
            classOf(probe).published().add(probe.bytes());
        }
        return probe;
    }

    private PendingAnswer pollFirst(Function<WaitingAnswers, PendingAnswer> poll) {
        return Arrays.stream(classes)
                .map(each -> poll.apply(each.waiting()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Removes matching waiting answers. */
    List<PendingAnswer> removeIf(Predicate<PendingAnswer> wanted) {
        return Arrays.stream(classes)
                .flatMap(each -> each.waiting().removeIf(wanted).stream())
                .toList();
    }

    /** Removes all waiting answers. */
    List<PendingAnswer> removeAll() {
        return removeIf(answer -> true);
    }

    /** Removes waiting answers, the oldest of each class first, until this number and these bytes are removed. */
    List<PendingAnswer> removeExcess(int excess, long excessBytes) {
        List<PendingAnswer> removed = new ArrayList<>();
        long bytesToRemove = excessBytes;
        // A few large answers usually cause an excess of bytes, and many small ones an excess of answers.
        for (int size = classes.length - 1; size >= 0; size--) {
            for (PendingAnswer answer : classes[size].waiting().removeOldest(0, bytesToRemove)) {
                bytesToRemove -= answer.bytes();
                removed.add(answer);
            }
        }
        for (SizeClass each : classes) {
            removed.addAll(each.waiting().removeOldest(excess - removed.size(), 0));
        }
        return removed;
    }

    /** Updates whether the topic or queue is slow: it confirms nothing, or an answer has waited too long. Called by the tick. */
    void detectSlow(long runningNanos, long slowAfterNanos) {
        long oldestNanos = runningNanos;
        for (SizeClass each : classes) {
            oldestNanos = each.waiting().oldestNanos(oldestNanos);
        }
        slow.update(runningNanos, slowAfterNanos, oldestNanos, publishedCount() > 0, isIdle());
    }

    /**
     * Updates whether this topic or queue is slow while others confirm answers. The tick calls this after {@link #detectSlow} of all
     * queues.
     *
     * @param othersConfirmedNanos when another topic or queue last confirmed an answer
     */
    void compareWithOthers(long othersConfirmedNanos) {
        slow.compareWithOthers(othersConfirmedNanos, stage == PublishStage.REPLY_TO);
    }

    /** Returns whether it is slow although another topic or queue has confirmed answers meanwhile. Tick only. */
    boolean isSlowerThanOthers() {
        return slow.isSlowerThanOthers();
    }

    /** Returns when it last confirmed an answer. Tick only. */
    long lastConfirmedNanos() {
        return slow.lastConfirmedNanos();
    }

    /** Returns whether it has confirmed an answer since it was last observed. */
    boolean hasConfirmedRecently() {
        return slow.hasConfirmedRecently();
    }

    boolean isIdle() {
        for (SizeClass each : classes) {
            // An answer may start or stop waiting between the counts, so the published ones are counted twice.
            if (each.published().count()
                            + each.waiting().size()
                            + each.published().count()
                    > 0) {
                return false;
            }
        }
        return true;
    }

    private int publishedCount() {
        int count = 0;
        for (SizeClass each : classes) {
            count += each.published().count();
        }
        return count;
    }

    private int waitingCount() {
        int count = 0;
        for (SizeClass each : classes) {
            count += each.waiting().size();
        }
        return count;
    }

    /**
     * Returns how many answers do not count as unconfirmed: all of a slow topic or queue. Otherwise only the waiting answers beyond the
     * number that the broker's client holds.
     */
    int exemptAnswers() {
        return slow.isSlow() ? answers() : Math.max(0, waitingCount() - publishedCount());
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
        return waitingCount() + publishedCount();
    }

    /** Returns its answers and why they are not confirmed; null if nothing is wrong. */
    UnpublishedAnswers unpublished() {
        Refusal last = refusal;
        int count = answers();
        if (last == null || count == 0) {
            return null;
        }
        return switch (stage) {
            case REPLY_TO -> new UnpublishedAnswers(To.REPLY_TO, last.replyTo, last.problem, count);
            case CONFIGURED -> new UnpublishedAnswers(To.ANSWERS, null, last.problem, count);
            case DEAD_LETTER -> new UnpublishedAnswers(To.DEAD_LETTERS, null, last.problem, count);
        };
    }

    /** Returns the bytes of its answers. */
    long bytes() {
        long bytes = 0;
        for (SizeClass each : classes) {
            bytes += each.waiting().bytes() + each.published().bytes();
        }
        return bytes;
    }
}
