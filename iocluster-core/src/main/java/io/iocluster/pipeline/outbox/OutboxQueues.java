package io.iocluster.pipeline.outbox;

import io.iocluster.pipeline.outbox.PendingAnswer.PublishStage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Holds an {@link OutboxQueue} for each topic or queue that has an answer, or had one recently. Thread-safe, except for the tick. */
final class OutboxQueues {

    private final ReplyToShares shares;
    private final OutboxQueue configured = OutboxQueue.of(PublishStage.CONFIGURED);
    private final OutboxQueue deadLetters = OutboxQueue.of(PublishStage.DEAD_LETTER);
    /** By the name of the reply-to. */
    private final Map<String, OutboxQueue> ofReplyTos = new ConcurrentHashMap<>();

    /** The latest time at which one of the removed queues confirmed an answer. Confined to the tick. */
    private long removedQueuesConfirmedNanos;

    OutboxQueues(ReplyToShares shares) {
        this.shares = shares;
    }

    /** Passes the queue of an answer to {@code use} and returns it. {@link #removeIdle} does not remove it meanwhile. */
    OutboxQueue use(PendingAnswer answer, long runningNanos, Consumer<OutboxQueue> use) {
        if (answer.stage() == PublishStage.REPLY_TO) {
            return ofReplyTos.compute(answer.replyTo(), (name, known) -> {
                OutboxQueue queue = known == null ? OutboxQueue.ofReplyTo(name, shares, runningNanos) : known;
                use.accept(queue);
                return queue;
            });
        }
        OutboxQueue queue = answer.stage() == PublishStage.CONFIGURED ? configured : deadLetters;
        use.accept(queue);
        return queue;
    }

    /** Returns all queues. */
    List<OutboxQueue> all() {
        List<OutboxQueue> queues = new ArrayList<>(ofReplyTos.values());
        queues.add(configured);
        queues.add(deadLetters);
        return queues;
    }

    /** Removes the queues of reply-tos that have no answers. Called by the tick. */
    void removeIdle(long runningNanos) {
        ofReplyTos
                .keySet()
                .forEach(name -> ofReplyTos.computeIfPresent(name, (key, queue) -> {
                    if (!queue.isIdle()) {
                        return queue;
                    }
                    removedQueuesConfirmedNanos = Math.max(
                            removedQueuesConfirmedNanos,
                            queue.hasConfirmedRecently() ? runningNanos : queue.lastConfirmedNanos());
                    return null;
                }));
    }

    /** Updates which topics and queues are slow, and which of them are slow while others confirm answers. Called by the tick. */
    void detectSlow(List<OutboxQueue> queues, long runningNanos, long slowAfterNanos) {
        queues.forEach(queue -> queue.detectSlow(runningNanos, slowAfterNanos));
        OutboxQueue fastest = Collections.max(queues, Comparator.comparingLong(OutboxQueue::lastConfirmedNanos));
        long othersConfirmed = queues.stream()
                .filter(queue -> queue != fastest)
                .mapToLong(OutboxQueue::lastConfirmedNanos)
                .reduce(removedQueuesConfirmedNanos, Math::max);
        long latestConfirmed = Math.max(removedQueuesConfirmedNanos, fastest.lastConfirmedNanos());
        queues.forEach(queue -> queue.compareWithOthers(queue == fastest ? othersConfirmed : latestConfirmed));
    }
}
