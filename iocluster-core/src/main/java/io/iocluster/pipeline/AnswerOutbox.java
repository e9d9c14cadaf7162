package io.iocluster.pipeline;

import io.iocluster.pipeline.PendingAnswer.PublishStage;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.ResponseSink;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes each answer until the broker confirms it, without making its call again: at its reply place, then at the configured
 * place, then as a dead letter (docs/adr/0022-an-answer-is-published-again.md). A place that confirms nothing holds up only its own
 * answers. For any thread, except {@link #tick}.
 */
final class AnswerOutbox {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerOutbox.class);
    private static final long TICK_NANOS = Duration.ofMillis(50).toNanos();
    /** Limits the time between two ticks, so that a pause of the node does not count against a place. */
    private static final long LONGEST_TICK_NANOS = Duration.ofSeconds(1).toNanos();

    private final Transport transport;
    private final ResponseSink sink;
    private final InFlightWindow window;
    private final PipelineEvents events;
    private final NodeClock clock;
    private final LogThrottle failureLog;
    private final LogThrottle diversionLog;
    private final OutboxQueue configured = new OutboxQueue(PublishStage.CONFIGURED, null, 0);
    private final OutboxQueue deadLetters = new OutboxQueue(PublishStage.DEAD_LETTER, null, 0);
    private final ReplyPlaceShare share;
    /** By the name of the reply place; each has an answer, or had one recently. */
    private final Map<String, OutboxQueue> replyPlaces = new ConcurrentHashMap<>();

    private volatile AnswerSettings settings;
    private volatile boolean closed;

    /** Time during which the broker was reachable. Written by the tick. */
    private volatile long runningNanos;

    /** Whether any place has confirmed an answer since the tick ran last. */
    private volatile boolean progressed;

    private volatile int late;

    /** When the tick ran last. Confined to the tick. */
    private long tickNanos;

    /** When a reply place that is idle by now last confirmed an answer. Confined to the tick. */
    private long forgottenMovedNanos;

    AnswerOutbox(
            Transport transport,
            InFlightWindow window,
            PipelineEvents events,
            NodeClock clock,
            AnswerSettings settings) {
        this.transport = transport;
        this.sink = transport.sink();
        this.window = window;
        this.events = events;
        this.clock = clock;
        this.settings = settings;
        this.share = new ReplyPlaceShare(window::maxUnconfirmed);
        this.tickNanos = clock.nanos();
        this.failureLog = new LogThrottle(clock.nanos());
        this.diversionLog = new LogThrottle(clock.nanos());
    }

    /** Also applies to answers that are already being published. */
    void applySettings(AnswerSettings next) {
        settings = next;
    }

    /** Returns how many answers wait for a reply place that is slow or refuses them. */
    int waitingAnswers() {
        return late;
    }

    /** Publishes an answer until it is confirmed. Returns at once. */
    void publish(PendingAnswer answer) {
        answer.sinceNanos = runningNanos;
        answer.failures = 0;
        long most = settings.maxBytesPerReplyTo().bytes();
        boolean[] mayPublish = new boolean[1];
        OutboxQueue place = useItsPlace(answer, its -> mayPublish[0] = its.tryPublishOrPark(answer, most));
        if (mayPublish[0]) {
            send(place, answer);
        } else if (closed) {
            abandon(place.removeAll());
        } else {
            // Nothing else would, if the last answer was confirmed meanwhile.
            publishWaiting(place);
        }
    }

    private OutboxQueue useItsPlace(PendingAnswer answer, Consumer<OutboxQueue> use) {
        if (answer.stage() == PublishStage.REPLY_TO) {
            // Within compute, so that the tick does not forget the place meanwhile.
            return replyPlaces.compute(answer.replyTo(), (name, known) -> {
                OutboxQueue place = known == null ? new OutboxQueue(PublishStage.REPLY_TO, share, runningNanos) : known;
                use.accept(place);
                return place;
            });
        }
        OutboxQueue place = answer.stage() == PublishStage.CONFIGURED ? configured : deadLetters;
        use.accept(place);
        return place;
    }

    private void send(OutboxQueue place, PendingAnswer answer) {
        CompletionStage<PublishResult> published;
        try {
            published = answer.publish(sink);
        } catch (RuntimeException | Error bug) {
            published = CompletableFuture.failedFuture(bug);
        }
        published.whenComplete((result, bug) -> {
            try {
                ended(place, answer, result, bug);
            } catch (RuntimeException | Error defect) {
                LOG.error(
                        "Defect after an answer was published request={}", answer.call.delivery.coordinates(), defect);
                answer.call.release();
            }
        });
    }

    private void ended(OutboxQueue place, PendingAnswer answer, PublishResult result, Throwable bug) {
        long bytes = answer.bytes();
        if (result instanceof PublishResult.Confirmed confirmed) {
            if (confirmed.truncation() != null) {
                cut(answer);
            }
            place.release(bytes);
            place.recordConfirmation();
            if (!progressed) {
                progressed = true;
            }
            answer.listener.confirmed(answer);
        } else if (result instanceof PublishResult.TooLarge tooLarge) {
            place.release(bytes);
            answer.listener.tooLarge(answer, tooLarge.problem());
        } else {
            failed(place, answer, result, bug);
        }
        if (place.hasWaiting()) {
            publishWaiting(place);
        }
    }

    private void cut(PendingAnswer answer) {
        if (answer.stage() == PublishStage.DEAD_LETTER) {
            events.deadLetterTruncated();
        } else {
            events.answerTruncated();
        }
    }

    private void failed(OutboxQueue place, PendingAnswer answer, PublishResult result, Throwable bug) {
        long bytes = answer.bytes();
        String problem = bug == null ? PublishResult.problem(result) : String.valueOf(bug);
        long now = clock.nanos();
        place.recordFailure(result instanceof PublishResult.UnknownTopicOrQueue, now);
        if (closed || (bug != null && answer.stage() == PublishStage.DEAD_LETTER)) {
            place.release(bytes);
            answer.listener.abandoned(answer, problem, bug);
            return;
        }
        log(answer, problem, bug, now);
        if (isOver(answer)) {
            place.release(bytes);
            divert(answer, problem);
        } else {
            answer.failures++;
            answer.notBeforeNanos = now + OutboxQueue.retryDelayNanos(answer.failures);
            place.enqueue(answer);
            place.release(bytes);
            if (closed) {
                abandon(place.removeAll());
            }
        }
    }

    private void log(PendingAnswer answer, String problem, Throwable bug, long now) {
        long suppressed = failureLog.pollSuppressed(now);
        if (suppressed != LogThrottle.NOT_DUE) {
            LOG.warn(
                    "Answer not confirmed; publishing it again request={} place={} problem={} suppressed={}",
                    answer.call.delivery.coordinates(),
                    place(answer),
                    problem,
                    suppressed,
                    bug);
        }
    }

    private static String place(PendingAnswer answer) {
        return switch (answer.stage()) {
            case REPLY_TO -> answer.replyTo();
            case CONFIGURED -> "configured";
            case DEAD_LETTER -> "dead-letters";
        };
    }

    private boolean isOver(PendingAnswer answer) {
        return answer.stage() != PublishStage.DEAD_LETTER
                && runningNanos - answer.sinceNanos >= settings.giveUpAfter().toNanos();
    }

    private void divert(PendingAnswer answer, String problem) {
        String from = place(answer);
        answer.divert("not published at " + from + ": " + problem);
        events.answerDiverted(answer.stage() == PublishStage.DEAD_LETTER);
        long suppressed = diversionLog.pollSuppressed(clock.nanos());
        if (suppressed != LogThrottle.NOT_DUE) {
            LOG.warn(
                    "Answer diverted request={} from={} to={} problem={} suppressed={}",
                    answer.call.delivery.coordinates(),
                    from,
                    place(answer),
                    problem,
                    suppressed);
        }
        publish(answer);
    }

    /** Publishes waiting answers while their place has room. A publish that ends at once does not recurse. */
    private void publishWaiting(OutboxQueue place) {
        place.publishing.run(() -> {
            long most = settings.maxBytesPerReplyTo().bytes();
            PendingAnswer next = place.pollPublishable(clock.nanos(), most);
            while (next != null) {
                again(place, next);
                next = place.pollPublishable(clock.nanos(), most);
            }
        });
    }

    private void again(OutboxQueue place, PendingAnswer answer) {
        if (answer.failures > 0) {
            events.answerRepublished();
        }
        send(place, answer);
    }

    /** Publishes due answers again, and diverts answers that have waited too long. One thread calls it every few milliseconds. */
    void tick() {
        long now = clock.nanos();
        long passed = now - tickNanos;
        if (passed < TICK_NANOS) {
            return;
        }
        tickNanos = now;
        try {
            List<OutboxQueue> places = places();
            if (places.stream().allMatch(OutboxQueue::isIdle)) {
                waitingAnswers(0);
                return;
            }
            if (progressed || isBrokerThere()) {
                advance(Math.min(passed, LONGEST_TICK_NANOS));
            }
            tend(places, now);
        } catch (RuntimeException | Error defect) {
            LOG.error("Defect while answers were published again", defect);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the tick writes.
    private void advance(long nanos) {
        runningNanos += nanos;
    }

    private List<OutboxQueue> places() {
        replyPlaces
                .keySet()
                .forEach(name ->
                        replyPlaces.computeIfPresent(name, (key, place) -> place.isIdle() ? forget(place) : place));
        List<OutboxQueue> places = new ArrayList<>(replyPlaces.values());
        places.add(configured);
        places.add(deadLetters);
        return places;
    }

    private OutboxQueue forget(OutboxQueue idle) {
        forgottenMovedNanos = Math.max(forgottenMovedNanos, idle.isMoving() ? runningNanos : idle.movedNanos());
        return null;
    }

    private boolean isBrokerThere() {
        var source = transport.source().status();
        return sink.isReachable()
                && source.connected()
                && !source.pauseReasons().contains(PauseReason.BROKER_BLOCKED);
    }

    private void tend(List<OutboxQueue> places, long now) {
        AnswerSettings current = settings;
        progressed = false;
        places.forEach(
                place -> place.detectSlow(runningNanos, current.slowAfter().toNanos()));
        OutboxQueue fastest = Collections.max(places, Comparator.comparingLong(OutboxQueue::movedNanos));
        long othersMoved = places.stream()
                .filter(place -> place != fastest)
                .mapToLong(OutboxQueue::movedNanos)
                .reduce(forgottenMovedNanos, Math::max);
        int left = current.maxWaiting();
        long bytesLeft = current.maxWaitingBytes().bytes();
        for (OutboxQueue place : places) {
            moveOn(
                    place,
                    place == fastest ? othersMoved : Math.max(forgottenMovedNanos, fastest.movedNanos()),
                    Math.min(current.maxWaiting() / 2, left),
                    Math.min(current.maxWaitingBytes().bytes() / 2, bytesLeft));
            PendingAnswer probe = place.pollProbe(now);
            if (probe != null) {
                again(place, probe);
            }
            publishWaiting(place);
            left = Math.max(0, left - place.exemptAnswers());
            bytesLeft = Math.max(0, bytesLeft - place.exemptBytes());
        }
        waitingAnswers(current.maxWaiting() - left);
    }

    /** Diverts answers that were tried for too long, and those beyond the share of a place that is slower than others. */
    private void moveOn(OutboxQueue place, long othersMovedNanos, int mostLate, long mostBytesLate) {
        if (!place.hasWaiting() || place.stage() == PublishStage.DEAD_LETTER) {
            return;
        }
        place.removeWaiting(this::isOver, 0, 0).forEach(answer -> divert(answer, "given up"));
        if (place.isBehind(othersMovedNanos)) {
            place.removeWaiting(answer -> true, Math.max(0, mostLate - place.publishedCount()), mostBytesLate)
                    .forEach(answer -> divert(answer, "too many answers wait for it"));
        }
    }

    private void waitingAnswers(int count) {
        late = count;
        window.setExemptAnswers(count);
    }

    /** Stops publishing again. Waiting answers, and those that the sink gives up, return their messages to the queue. */
    void close() {
        closed = true;
        places().forEach(place -> abandon(place.removeAll()));
    }

    private static void abandon(List<PendingAnswer> answers) {
        answers.forEach(answer -> answer.listener.abandoned(answer, "the node stops", null));
    }
}
