package io.iocluster.client;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.thread.Platform;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.Settlement;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes answers to a listener. As a node does with requests, it acknowledges or commits only the answers that the
 * listener has handled. Thread-safe.
 */
public final class AnswerSubscription implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerSubscription.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final RequestSource source;
    private final ListenerConfig config;
    private final AnswerListener listener;
    private final Executor executor;
    private final ClientEvents events;
    private final Platform platform;
    private final AnswerDecoder decoder = new AnswerDecoder();
    private final AnswerDeduplicator deduplicator;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private volatile boolean closing;

    private AnswerSubscription(
            RequestSource source,
            ListenerConfig config,
            AnswerListener listener,
            Executor executor,
            ClientEvents events,
            Platform platform) {
        this.source = source;
        this.config = config;
        this.listener = listener;
        this.executor = executor;
        this.events = events;
        this.platform = platform;
        this.deduplicator = new AnswerDeduplicator(config.rememberedIds());
    }

    static AnswerSubscription start(
            RequestSource source,
            ListenerConfig config,
            AnswerListener listener,
            Executor executor,
            ClientEvents events,
            Platform platform) {
        AnswerSubscription subscription = new AnswerSubscription(source, config, listener, executor, events, platform);
        source.prefetchHint(config.maxInFlight(), 0);
        source.start(subscription.intake());
        return subscription;
    }

    private Intake intake() {
        return delivery -> {
            if (inFlight.get() >= config.maxInFlight()) {
                return false;
            }
            process(delivery);
            return true;
        };
    }

    /** Runs on the source's thread, the only one that increments {@link #inFlight}. */
    private void process(Delivery delivery) {
        Answer answer;
        try {
            answer = decoder.decode(delivery.payload());
        } catch (IllegalArgumentException unreadable) {
            LOG.warn(
                    "Skipped an unreadable message among the answers position={} error=\"{}\"",
                    delivery.coordinates(),
                    unreadable.getMessage());
            events.unreadableAnswer();
            delivery.settlement().acknowledge();
            return;
        }
        // The coordinates identify an answer without an id.
        String id = answer.id() == null ? delivery.coordinates() : answer.id();
        switch (deduplicator.register(id, delivery.settlement())) {
            case ALREADY_HANDLED -> {
                events.duplicateAnswer();
                delivery.settlement().acknowledge();
            }
            case IN_PROGRESS -> events.duplicateAnswer();
            case NEW -> dispatch(id, answer);
        }
    }

    private void dispatch(String id, Answer answer) {
        inFlight.incrementAndGet();
        try {
            executor.execute(() -> callListener(answer).whenComplete((handled, failure) -> complete(id, failure)));
        } catch (RejectedExecutionException shutDown) {
            complete(id, shutDown);
        }
    }

    private CompletionStage<?> callListener(Answer answer) {
        try {
            return Objects.requireNonNull(listener.onAnswer(answer), "the listener returned no stage");
        } catch (RuntimeException | Error failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private void complete(String id, Throwable failure) {
        List<Settlement> settlements = deduplicator.complete(id, failure == null);
        if (failure == null) {
            events.answerHandled();
            settlements.forEach(Settlement::acknowledge);
        } else {
            LOG.warn("Answer listener failed; the answer will be redelivered id={}", id, failure);
            events.answerHandlerFailed(failure);
            settlements.forEach(Settlement::release);
        }
        if (inFlight.decrementAndGet() == 0 && closing) {
            drained.complete(null);
        }
        source.capacityAvailable();
    }

    private CompletionStage<Void> drain() {
        closing = true;
        return inFlight.get() == 0 ? CompletableFuture.completedFuture(null) : drained;
    }

    /** Returns whether the broker is reachable, and how many answers are on the queue. */
    public SourceStatus status() {
        return source.status();
    }

    /** Closes with a timeout of ten seconds. */
    @Override
    public void close() {
        close(CLOSE_TIMEOUT);
    }

    /**
     * Passes no more answers to the listener, waits for those in flight, and returns the others to the broker. Answers
     * that are still in flight after the timeout are redelivered to this or another consumer.
     */
    public void close(Duration timeout) {
        long end = platform.nanos() + timeout.toNanos();
        CompletableFuture<Void> stopped =
                source.stopIntake().thenCompose(done -> drain()).toCompletableFuture();
        try {
            platform.await(stopped, timeout);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        source.close(Duration.ofNanos(Math.max(Duration.ofSeconds(1).toNanos(), end - platform.nanos())));
    }
}
