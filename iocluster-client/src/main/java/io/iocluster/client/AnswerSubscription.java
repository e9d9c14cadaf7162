package io.iocluster.client;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands answers over to a listener. What stands on the queue of answers is read as nodes read requests: the broker's position moves
 * only over what is handled. Safe for use by several threads.
 */
public final class AnswerSubscription implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerSubscription.class);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(10);

    private final RequestSource source;
    private final ListenerConfig config;
    private final AnswerListener listener;
    private final Executor executor;
    private final ClientEvents events;
    private final AnswerDecoder decoder = new AnswerDecoder();
    private final AnswerDeduplicator ids;
    private final AtomicInteger inHand = new AtomicInteger();
    private final CompletableFuture<Void> empty = new CompletableFuture<>();
    private volatile boolean closing;

    private AnswerSubscription(
            RequestSource source,
            ListenerConfig config,
            AnswerListener listener,
            Executor executor,
            ClientEvents events) {
        this.source = source;
        this.config = config;
        this.listener = listener;
        this.executor = executor;
        this.events = events;
        this.ids = new AnswerDeduplicator(config.rememberedIds());
    }

    static AnswerSubscription start(
            RequestSource source,
            ListenerConfig config,
            AnswerListener listener,
            Executor executor,
            ClientEvents events) {
        AnswerSubscription subscription = new AnswerSubscription(source, config, listener, executor, events);
        source.prefetchHint(config.maxInFlight(), 0);
        source.start(subscription.intake());
        return subscription;
    }

    private Intake intake() {
        return delivery -> {
            if (inHand.get() >= config.maxInFlight()) {
                return false;
            }
            take(delivery);
            return true;
        };
    }

    /** On the source's thread, which alone lets the count grow. */
    private void take(Delivery delivery) {
        Answer answer;
        try {
            answer = decoder.decode(delivery.payload());
        } catch (IllegalArgumentException foreign) {
            LOG.warn("Passed over {}, which is no answer: {}", delivery.coordinates(), foreign.getMessage());
            events.unreadableAnswer();
            delivery.settlement().acknowledge();
            return;
        }
        // An answer without an id is told from others by where it stands.
        String id = answer.id() == null ? delivery.coordinates() : answer.id();
        switch (ids.register(id, delivery.settlement())) {
            case ALREADY_HANDLED -> {
                events.duplicateAnswer();
                delivery.settlement().acknowledge();
            }
            case IN_PROGRESS -> events.duplicateAnswer();
            case NEW -> handOver(id, answer);
        }
    }

    private void handOver(String id, Answer answer) {
        inHand.incrementAndGet();
        try {
            executor.execute(() -> stageOf(answer).whenComplete((handled, failure) -> ended(id, failure)));
        } catch (RejectedExecutionException shutDown) {
            ended(id, shutDown);
        }
    }

    private CompletionStage<?> stageOf(Answer answer) {
        try {
            return Objects.requireNonNull(listener.onAnswer(answer), "the listener returned no stage");
        } catch (RuntimeException | Error failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private void ended(String id, Throwable failure) {
        List<Settlement> settlements = ids.complete(id, failure == null);
        if (failure == null) {
            events.answerHandled();
            settlements.forEach(Settlement::acknowledge);
        } else {
            LOG.warn("The answer {} could not be handled, and is handed over again", id, failure);
            events.answerHandlerFailed(failure);
            settlements.forEach(Settlement::release);
        }
        if (inHand.decrementAndGet() == 0 && closing) {
            empty.complete(null);
        }
        source.capacityAvailable();
    }

    private CompletionStage<Void> emptied() {
        closing = true;
        return inHand.get() == 0 ? CompletableFuture.completedFuture(null) : empty;
    }

    /** Whether the broker answers, and how many answers wait. */
    public SourceStatus status() {
        return source.status();
    }

    /** {@link #close(Duration)} within ten seconds. */
    @Override
    public void close() {
        close(CLOSE_WITHIN);
    }

    /**
     * Hands over nothing more, waits for what is in hand, and gives back the rest. What is still in hand when the time is over is
     * handed over again, here or elsewhere.
     */
    public void close(Duration within) {
        long end = System.nanoTime() + within.toNanos();
        source.stopIntake()
                .thenCompose(stopped -> emptied())
                .toCompletableFuture()
                .completeOnTimeout(null, within.toNanos(), TimeUnit.NANOSECONDS)
                .join();
        source.close(Duration.ofNanos(Math.max(Duration.ofSeconds(1).toNanos(), end - System.nanoTime())));
    }
}
