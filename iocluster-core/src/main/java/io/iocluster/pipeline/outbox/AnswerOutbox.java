package io.iocluster.pipeline.outbox;

import io.iocluster.log.LogThrottle;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.event.NodeClock;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.pipeline.outbox.PendingAnswer.PublishStage;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes each answer until the broker confirms it, without a second call: to its reply-to, then to the configured topic or queue,
 * then to the dead letters (docs/adr/0022-an-answer-is-published-again.md). A topic or queue that confirms nothing delays only its own
 * answers. Thread-safe, except {@link #tick}.
 */
public final class AnswerOutbox {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerOutbox.class);
    private static final long TICK_NANOS = Duration.ofMillis(50).toNanos();
    /** Limits the time between two ticks, so that a pause of the node does not count against a topic or queue. */
    private static final long LONGEST_TICK_NANOS = Duration.ofSeconds(1).toNanos();

    private final Transport transport;
    private final InFlightWindow window;
    private final PipelineEvents events;
    private final NodeClock clock;
    private final LogThrottle failureLog;
    private final LogThrottle diversionLog;
    private final LogThrottle defectLog;
    private final OutboxQueue configured = OutboxQueue.of(PublishStage.CONFIGURED);
    private final OutboxQueue deadLetters = OutboxQueue.of(PublishStage.DEAD_LETTER);
    private final ReplyToShares shares;
    /** By the name of the reply-to; each one has an answer, or had one recently. */
    private final Map<String, OutboxQueue> replyToQueues = new ConcurrentHashMap<>();

    private volatile AnswerSettings settings;
    private volatile boolean closed;

    /** Time during which the broker was reachable. Written by the tick. */
    private volatile long runningNanos;

    /** Whether any topic or queue has confirmed an answer since the last tick. */
    private volatile boolean progressed;

    private volatile int waitingAnswers;

    /** When the tick ran last. Confined to the tick. */
    private long tickNanos;

    /** When a queue that was removed because it was idle last confirmed an answer. Confined to the tick. */
    private long forgottenMovedNanos;

    public AnswerOutbox(
            Transport transport,
            InFlightWindow window,
            PipelineEvents events,
            NodeClock clock,
            AnswerSettings settings) {
        this.transport = transport;
        this.window = window;
        this.events = events;
        this.clock = clock;
        this.settings = settings;
        this.shares = new ReplyToShares(window::maxUnconfirmed, window::maxInFlight);
        this.tickNanos = clock.nanos();
        this.failureLog = new LogThrottle(clock.nanos());
        this.diversionLog = new LogThrottle(clock.nanos());
        this.defectLog = new LogThrottle(clock.nanos());
    }

    /** Applies new settings, also to answers that are already being published. */
    public void applySettings(AnswerSettings next) {
        settings = next;
    }

    /** Returns how many answers wait for a topic or queue that is slow or refuses them. */
    public int waitingAnswers() {
        return waitingAnswers;
    }

    /** Publishes an answer until it is confirmed. Returns at once. */
    public void publish(PendingAnswer answer) {
        answer.sinceNanos = runningNanos;
        answer.failures = 0;
        long maxBytes = settings.maxBytesPerReplyTo().bytes();
        boolean[] mayPublish = new boolean[1];
        OutboxQueue queue = withQueue(answer, its -> mayPublish[0] = its.tryPublishOrPark(answer, maxBytes));
        if (mayPublish[0]) {
            send(queue, answer);
        } else if (closed) {
            abandon(queue.removeAll());
        } else {
            // If the last published answer was confirmed meanwhile, no confirmation triggers this answer.
            publishWaiting(queue);
        }
    }

    private OutboxQueue withQueue(PendingAnswer answer, Consumer<OutboxQueue> use) {
        if (answer.stage() == PublishStage.REPLY_TO) {
            // Within compute, so that the tick does not remove the queue meanwhile.
            return replyToQueues.compute(answer.replyTo(), (name, known) -> {
                OutboxQueue queue = known == null ? OutboxQueue.ofReplyTo(name, shares, runningNanos) : known;
                use.accept(queue);
                return queue;
            });
        }
        OutboxQueue queue = answer.stage() == PublishStage.CONFIGURED ? configured : deadLetters;
        use.accept(queue);
        return queue;
    }

    private void send(OutboxQueue queue, PendingAnswer answer) {
        CompletionStage<PublishResult> published;
        try {
            published = answer.publish(transport.sink());
        } catch (RuntimeException | Error bug) {
            published = CompletableFuture.failedFuture(bug);
        }
        published.whenComplete((result, bug) -> {
            try {
                ended(queue, answer, result, bug);
            } catch (RuntimeException | Error defect) {
                logDefect(answer, defect);
                answer.call.releaseLater();
            }
        });
    }

    private void logDefect(PendingAnswer answer, Throwable defect) {
        long suppressed = defectLog.pollSuppressed(clock.nanos());
        if (suppressed != LogThrottle.NOT_DUE) {
            LOG.error(
                    "Answer result not processed because of a defect; releasing the message request={} suppressed={}",
                    answer.call.delivery().coordinates(),
                    suppressed,
                    defect);
        }
    }

    private void ended(OutboxQueue queue, PendingAnswer answer, PublishResult result, Throwable bug) {
        long bytes = answer.bytes();
        boolean asVerified = answer.publishedAsVerified;
        if (result instanceof PublishResult.Confirmed confirmed) {
            if (confirmed.truncation() != null) {
                countTruncation(answer);
            }
            queue.release(bytes, asVerified);
            queue.recordConfirmation();
            if (!progressed) {
                progressed = true;
            }
            answer.listener.confirmed(answer);
        } else if (result instanceof PublishResult.TooLarge tooLarge) {
            queue.release(bytes, asVerified);
            answer.listener.tooLarge(answer, tooLarge.problem());
        } else {
            failed(queue, answer, result, bug);
        }
        if (queue.hasWaiting()) {
            publishWaiting(queue);
        }
    }

    private void countTruncation(PendingAnswer answer) {
        if (answer.stage() == PublishStage.DEAD_LETTER) {
            events.deadLetterTruncated();
        } else {
            events.answerTruncated();
        }
    }

    private void failed(OutboxQueue queue, PendingAnswer answer, PublishResult result, Throwable bug) {
        long bytes = answer.bytes();
        boolean asVerified = answer.publishedAsVerified;
        String problem = bug == null ? PublishResult.problem(result) : String.valueOf(bug);
        long now = clock.nanos();
        queue.recordFailure(result instanceof PublishResult.UnknownTopicOrQueue, now);
        if (closed || (bug != null && answer.stage() == PublishStage.DEAD_LETTER)) {
            queue.release(bytes, asVerified);
            answer.listener.abandoned(answer, problem, bug);
            return;
        }
        log(answer, problem, bug, now);
        if (isGivenUp(answer)) {
            queue.release(bytes, asVerified);
            divert(answer, problem);
        } else {
            answer.failures++;
            answer.notBeforeNanos = now + PublishBackoff.nanosAfter(answer.failures);
            queue.enqueue(answer);
            queue.release(bytes, asVerified);
            if (closed) {
                abandon(queue.removeAll());
            }
        }
    }

    private void log(PendingAnswer answer, String problem, Throwable bug, long now) {
        long suppressed = failureLog.pollSuppressed(now);
        if (suppressed != LogThrottle.NOT_DUE) {
            LOG.warn(
                    "Answer not confirmed; publishing it again request={} to={} problem={} suppressed={}",
                    answer.call.delivery().coordinates(),
                    answer.topicOrQueue(),
                    problem,
                    suppressed,
                    bug);
        }
    }

    private boolean isGivenUp(PendingAnswer answer) {
        return answer.stage() != PublishStage.DEAD_LETTER
                && runningNanos - answer.sinceNanos >= settings.giveUpAfter().toNanos();
    }

    private void divert(PendingAnswer answer, String problem) {
        String from = answer.topicOrQueue();
        answer.divert("not published to " + from + ": " + problem);
        events.answerDiverted(answer.stage() == PublishStage.DEAD_LETTER);
        long suppressed = diversionLog.pollSuppressed(clock.nanos());
        if (suppressed != LogThrottle.NOT_DUE) {
            LOG.warn(
                    "Answer diverted request={} from={} to={} problem={} suppressed={}",
                    answer.call.delivery().coordinates(),
                    from,
                    answer.topicOrQueue(),
                    problem,
                    suppressed);
        }
        publish(answer);
    }

    /** Publishes waiting answers while their topic or queue has room. A publish that ends at once does not recurse. */
    private void publishWaiting(OutboxQueue queue) {
        queue.publishing.run(() -> {
            long maxBytes = settings.maxBytesPerReplyTo().bytes();
            PendingAnswer next = queue.pollPublishable(clock.nanos(), maxBytes);
            while (next != null) {
                republish(queue, next);
                next = queue.pollPublishable(clock.nanos(), maxBytes);
            }
        });
    }

    private void republish(OutboxQueue queue, PendingAnswer answer) {
        if (answer.failures > 0) {
            events.answerRepublished();
        }
        send(queue, answer);
    }

    /** Publishes due answers again, and diverts those that waited too long. The supervisor's thread calls it every few milliseconds. */
    public void tick() {
        long now = clock.nanos();
        long passed = now - tickNanos;
        if (passed < TICK_NANOS) {
            return;
        }
        tickNanos = now;
        try {
            List<OutboxQueue> queues = queues();
            if (queues.stream().allMatch(OutboxQueue::isIdle)) {
                setWaitingAnswers(0);
                return;
            }
            if (progressed || isBrokerReachable()) {
                advance(Math.min(passed, LONGEST_TICK_NANOS));
            }
            updateQueues(queues, now);
        } catch (RuntimeException | Error defect) {
            LOG.error("Unconfirmed answers not processed because of a defect", defect);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the tick writes.
    private void advance(long nanos) {
        runningNanos += nanos;
    }

    private List<OutboxQueue> queues() {
        replyToQueues
                .keySet()
                .forEach(name ->
                        replyToQueues.computeIfPresent(name, (key, queue) -> queue.isIdle() ? forget(queue) : queue));
        List<OutboxQueue> queues = new ArrayList<>(replyToQueues.values());
        queues.add(configured);
        queues.add(deadLetters);
        return queues;
    }

    private OutboxQueue forget(OutboxQueue idle) {
        forgottenMovedNanos = Math.max(forgottenMovedNanos, idle.isMoving() ? runningNanos : idle.movedNanos());
        return null;
    }

    private boolean isBrokerReachable() {
        var source = transport.source().status();
        return transport.sink().isReachable()
                && source.connected()
                && !source.pauseReasons().contains(PauseReason.BROKER_BLOCKED);
    }

    private void updateQueues(List<OutboxQueue> queues, long now) {
        AnswerSettings current = settings;
        progressed = false;
        queues.forEach(
                queue -> queue.detectSlow(runningNanos, current.slowAfter().toNanos()));
        OutboxQueue fastest = Collections.max(queues, Comparator.comparingLong(OutboxQueue::movedNanos));
        long othersMoved = queues.stream()
                .filter(queue -> queue != fastest)
                .mapToLong(OutboxQueue::movedNanos)
                .reduce(forgottenMovedNanos, Math::max);
        long latestMoved = Math.max(forgottenMovedNanos, fastest.movedNanos());
        queues.forEach(queue -> queue.detectBehind(queue == fastest ? othersMoved : latestMoved));
        divertUnverified(queues, current);
        int remaining = current.maxWaiting();
        long maxBytes = current.maxWaitingBytes().bytes();
        long remainingBytes = maxBytes;
        for (OutboxQueue queue : queues) {
            divertOverdue(queue, Math.min(current.maxWaiting() / 2, remaining), Math.min(maxBytes / 2, remainingBytes));
            PendingAnswer probe = queue.pollProbe(now);
            if (probe != null) {
                republish(queue, probe);
            }
            publishWaiting(queue);
            remaining = Math.max(0, remaining - queue.exemptAnswers());
            remainingBytes = Math.max(0, remainingBytes - queue.exemptBytes());
        }
        setWaitingAnswers(current.maxWaiting() - remaining);
    }

    /** Diverts answers that were tried for {@code give-up-after}, and those beyond the share of a queue that is slower than others. */
    private void divertOverdue(OutboxQueue queue, int maxAnswers, long maxBytes) {
        if (!queue.hasWaiting() || queue.stage() == PublishStage.DEAD_LETTER) {
            return;
        }
        queue.removeWaiting(this::isGivenUp, 0, 0).forEach(answer -> divert(answer, "give-up-after has passed"));
        if (queue.isBehind()) {
            int maxLeft = Math.max(0, maxAnswers - queue.publishedCount());
            long maxBytesLeft = Math.max(0, maxBytes - queue.publishedBytes());
            queue.removeWaiting(answer -> true, maxLeft, maxBytesLeft)
                    .forEach(answer -> divert(answer, "too many answers wait for this topic or queue"));
        }
    }

    /**
     * Diverts answers beyond the share of all unverified reply-tos: first answers to reply-tos that do not exist, then answers to those
     * that are slower than others. Answers to missing ones are diverted even if no other confirms, because the broker has answered.
     */
    private void divertUnverified(List<OutboxQueue> queues, AnswerSettings current) {
        List<OutboxQueue> unverified =
                queues.stream().filter(OutboxQueue::isUnverified).toList();
        long maxBytes =
                ReplyToShares.maxUnverifiedBytes(current.maxWaitingBytes().bytes());
        int excess = unverified.stream().mapToInt(OutboxQueue::answers).sum() - shares.maxUnverified();
        long excessBytes = unverified.stream().mapToLong(OutboxQueue::bytes).sum() - maxBytes;
        for (Predicate<OutboxQueue> candidates :
                List.<Predicate<OutboxQueue>>of(OutboxQueue::isMissing, OutboxQueue::isBehind)) {
            for (OutboxQueue queue : unverified) {
                if ((excess > 0 || excessBytes > 0) && candidates.test(queue)) {
                    List<PendingAnswer> removed = queue.removeExcess(excess, excessBytes);
                    excess -= removed.size();
                    excessBytes -=
                            removed.stream().mapToLong(PendingAnswer::bytes).sum();
                    removed.forEach(answer -> divert(answer, "too many answers wait for unverified reply-tos"));
                }
            }
        }
    }

    private void setWaitingAnswers(int count) {
        waitingAnswers = count;
        window.setExemptAnswers(count);
    }

    /** Stops publishing again. The messages of waiting answers, and of those that the sink gives up, return to their queue. */
    public void close() {
        closed = true;
        queues().forEach(queue -> abandon(queue.removeAll()));
    }

    private static void abandon(List<PendingAnswer> answers) {
        answers.forEach(answer -> answer.listener.abandoned(answer, "the node stops", null));
    }
}
