package io.iocluster.pipeline.outbox;

import io.iocluster.pipeline.outbox.PendingAnswer.PublishStage;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Removes waiting answers of slow topics and queues beyond their limits, so that they go to the next stage. Confined to the tick. */
final class ExcessAnswers {

    private final ReplyToShares shares;
    private final AnswerSettings settings;
    /** Receives each removed answer and the reason. */
    private final BiConsumer<PendingAnswer, String> divert;

    /** How many answers further slow topics and queues may have together. */
    private int remaining;

    private long remainingBytes;

    ExcessAnswers(ReplyToShares shares, AnswerSettings settings, BiConsumer<PendingAnswer, String> divert) {
        this.shares = shares;
        this.settings = settings;
        this.divert = divert;
        this.remaining = settings.maxWaiting();
        this.remainingBytes = maxBytes();
    }

    private long maxBytes() {
        return settings.maxWaitingBytes().bytes();
    }

    /**
     * Diverts answers beyond the share of all unverified reply-tos: first answers to reply-tos that do not exist, then answers to those
     * that are slower than others. Answers to missing ones are diverted even if no other confirms, because the broker has answered.
     */
    void divertUnverified(List<OutboxQueue> queues) {
        List<OutboxQueue> unverified =
                queues.stream().filter(OutboxQueue::isUnverified).toList();
        int excess = unverified.stream().mapToInt(OutboxQueue::answers).sum() - shares.maxUnverified();
        long excessBytes =
                unverified.stream().mapToLong(OutboxQueue::bytes).sum() - ReplyToShares.maxUnverifiedBytes(maxBytes());
        for (Predicate<OutboxQueue> candidates :
                List.<Predicate<OutboxQueue>>of(OutboxQueue::isMissing, OutboxQueue::isSlowerThanOthers)) {
            for (OutboxQueue queue : unverified) {
                if ((excess > 0 || excessBytes > 0) && candidates.test(queue)) {
                    List<PendingAnswer> removed = queue.removeExcess(excess, excessBytes);
                    excess -= removed.size();
                    excessBytes -=
                            removed.stream().mapToLong(PendingAnswer::bytes).sum();
                    removed.forEach(answer -> divert.accept(answer, "too many answers wait for unverified reply-tos"));
                }
            }
        }
    }

    /** Diverts answers beyond the share of a queue that is slower than others. One topic or queue gets at most half of the limits. */
    void divertExcess(OutboxQueue queue) {
        if (queue.isSlowerThanOthers() && queue.stage() != PublishStage.DEAD_LETTER) {
            int excess = queue.answers() - Math.min(settings.maxWaiting() / 2, remaining);
            long excessBytes = queue.bytes() - Math.min(maxBytes() / 2, remainingBytes);
            queue.removeExcess(excess, excessBytes)
                    .forEach(answer -> divert.accept(answer, "too many answers wait for this topic or queue"));
        }
    }

    /** Subtracts the answers of a queue from what the next queues may have. */
    void count(OutboxQueue queue) {
        remaining = Math.max(0, remaining - queue.exemptAnswers());
        remainingBytes = Math.max(0, remainingBytes - queue.exemptBytes());
    }

    /** Returns the answers of all counted queues, up to the limit. */
    int counted() {
        return settings.maxWaiting() - remaining;
    }
}
