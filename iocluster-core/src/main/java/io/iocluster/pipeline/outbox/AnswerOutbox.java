package io.iocluster.pipeline.outbox;

import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.pipeline.event.UnpublishedAnswers;
import io.iocluster.pipeline.outbox.PendingAnswer.PublishStage;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Publishes each answer until the broker confirms it, without a second call: to its reply-to, then to the configured topic or queue,
 * then to the dead letters (docs/adr/0022-an-answer-is-published-again.md). A topic or queue that confirms nothing delays only its own
 * answers. Thread-safe, except {@link #tick}.
 */
public final class AnswerOutbox {

    private static final long TICK_NANOS = Duration.ofMillis(50).toNanos();
    /** Limits the time between two ticks, so that a pause of the node does not count against a topic or queue. */
    private static final long LONGEST_TICK_NANOS = Duration.ofSeconds(1).toNanos();

    private final Transport transport;
    private final InFlightWindow window;
    private final PipelineEvents events;
    private final NodeClock clock;
    private final OutboxLog log;
    private final ReplyToShares shares;
    private final OutboxQueues queues;

    private volatile AnswerSettings settings;
    private volatile boolean closed;

    /** Time during which the broker was reachable. Written by the tick. */
    private volatile long runningNanos;

    /** Whether any topic or queue has confirmed an answer since the last tick. */
    private volatile boolean progressed;

    private volatile int waitingAnswers;

    /** When the tick ran last. Confined to the tick. */
    private long tickNanos;

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
        this.queues = new OutboxQueues(shares);
        this.log = new OutboxLog(clock);
        this.tickNanos = clock.nanos();
    }

    /** Applies new settings, also to answers that are already being published. */
    public void applySettings(AnswerSettings next) {
        settings = next;
    }

    /** Returns how many answers wait for a topic or queue that is slow or refuses them. */
    public int waitingAnswers() {
        return waitingAnswers;
    }

    /** Returns the answers that a topic or queue does not accept, the most first. */
    public List<UnpublishedAnswers> unpublished() {
        return queues.all().stream()
                .map(OutboxQueue::unpublished)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingInt(UnpublishedAnswers::answers).reversed())
                .toList();
    }

    /** Publishes an answer until it is confirmed. Returns at once. */
    public void publish(PendingAnswer answer) {
        answer.sinceNanos = runningNanos;
        answer.failures = 0;
        long maxBytes = settings.maxBytesPerReplyTo().bytes();
        boolean[] mayPublish = new boolean[1];
        OutboxQueue queue =
                queues.use(answer, runningNanos, its -> mayPublish[0] = its.tryReserveOrEnqueue(answer, maxBytes));
        if (mayPublish[0]) {
            send(queue, answer);
        } else if (closed) {
            abandon(queue.removeAll());
        } else {
            // If the last published answer was confirmed meanwhile, no confirmation triggers this answer.
            publishWaiting(queue);
        }
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
                log.resultNotProcessed(answer, defect);
                answer.call.releaseLater();
            }
        });
    }

    private void ended(OutboxQueue queue, PendingAnswer answer, PublishResult result, Throwable bug) {
        boolean asVerified = answer.publishedAsVerified;
        if (result instanceof PublishResult.Confirmed confirmed) {
            if (confirmed.truncation() != null || answer.hasTruncatedBody()) {
                countTruncation(answer);
            }
            queue.release(answer, asVerified);
            queue.recordConfirmation();
            if (!progressed) {
                progressed = true;
            }
            answer.listener.confirmed(answer);
        } else if (result instanceof PublishResult.TooLarge tooLarge) {
            queue.release(answer, asVerified);
            answer.listener.tooLarge(answer, tooLarge);
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
        boolean asVerified = answer.publishedAsVerified;
        String problem = bug == null ? PublishResult.problem(result) : String.valueOf(bug);
        long now = clock.nanos();
        queue.recordFailure(answer, problem, result instanceof PublishResult.UnknownTopicOrQueue, now);
        if (closed || (bug != null && answer.stage() == PublishStage.DEAD_LETTER)) {
            queue.release(answer, asVerified);
            answer.listener.abandoned(answer, problem, bug);
            return;
        }
        log.publishFailed(answer, problem, bug);
        if (isGivenUp(answer)) {
            queue.release(answer, asVerified);
            divert(answer, problem);
        } else {
            answer.failures++;
            answer.notBeforeNanos = now + PublishBackoff.nanosAfter(answer.failures);
            queue.enqueue(answer);
            queue.release(answer, asVerified);
            if (closed) {
                abandon(queue.removeAll());
            }
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
        log.diverted(answer, from, problem);
        publish(answer);
    }

    /** Publishes waiting answers while the limits of their topic or queue allow it. A publish that ends at once does not recurse. */
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
            queues.removeIdle(runningNanos);
            List<OutboxQueue> all = queues.all();
            if (all.stream().allMatch(OutboxQueue::isIdle)) {
                setWaitingAnswers(0);
                return;
            }
            if (progressed || isBrokerReachable()) {
                advance(Math.min(passed, LONGEST_TICK_NANOS));
            }
            update(all, now);
        } catch (RuntimeException | Error defect) {
            log.tickFailed(defect);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the tick writes.
    private void advance(long nanos) {
        runningNanos += nanos;
    }

    private boolean isBrokerReachable() {
        var source = transport.source().status();
        return transport.sink().isReachable()
                && source.connected()
                && !source.pauseReasons().contains(PauseReason.BROKER_BLOCKED);
    }

    private void update(List<OutboxQueue> all, long now) {
        AnswerSettings current = settings;
        progressed = false;
        queues.detectSlow(all, runningNanos, current.slowAfter().toNanos());
        ExcessAnswers excess = new ExcessAnswers(shares, current, this::divert);
        excess.divertUnverified(all);
        for (OutboxQueue queue : all) {
            queue.removeIf(this::isGivenUp).forEach(answer -> divert(answer, "give-up-after has passed"));
            excess.divertExcess(queue);
            PendingAnswer probe = queue.pollProbe(now);
            if (probe != null) {
                republish(queue, probe);
            }
            publishWaiting(queue);
            excess.count(queue);
        }
        setWaitingAnswers(excess.counted());
    }

    private void setWaitingAnswers(int count) {
        waitingAnswers = count;
        window.setExemptAnswers(count);
    }

    /** Ends the republishing of answers. The messages of waiting answers, and of those that the sink gives up, return to their queue. */
    public void close() {
        closed = true;
        queues.all().forEach(queue -> abandon(queue.removeAll()));
    }

    private static void abandon(List<PendingAnswer> answers) {
        answers.forEach(answer -> answer.listener.abandoned(answer, "the node stops", null));
    }
}
