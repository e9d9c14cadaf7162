package io.iocluster.transport;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Publishes answers and dead letters, and puts requests off. Methods may be called from any thread and never block; their stages complete when
 * the broker has confirmed, on a thread of the sink's, and never exceptionally: a failed publish is a value.
 *
 * <p>A sink serves the deliveries of its own transport's source only: it copies from them what travels from request to
 * answer (key and headers, correlation id).
 */
public interface ResponseSink extends AutoCloseable {

    /** Connects as far as it can, without waiting for a broker that is away. */
    void start();

    /** Returns whether this request may name the place for its answer. */
    boolean isReplyToAllowed(Delivery request, String replyTo);

    /**
     * Returns whether the broker says that this place does not exist. Cheap, because it is called for each envelope: if the answer is
     * not known yet, it is requested in the background.
     *
     * @param replyTo one that is {@linkplain #isReplyToAllowed allowed}
     */
    default boolean isKnownMissing(String replyTo) {
        return false;
    }

    /** Returns whether the broker accepts messages now, as far as is known. */
    default boolean isReachable() {
        return true;
    }

    /**
     * Publishes an answer.
     *
     * @param request what is answered
     * @param answer the encoded answer; the sink keeps the array, callers never write to it again
     * @param replyTo where to, one that is {@linkplain #isReplyToAllowed allowed}, or null for the configured place
     * @param trace goes with the answer, in headers, in place of the request's own; null: the request's goes with it
     */
    CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace);

    /** Publishes an answer with its request's own trace context. */
    default CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo) {
        return publish(request, answer, replyTo, null);
    }

    /**
     * Publishes the request's original bytes and headers as a dead letter, with the reason in headers; as much of them as the
     * broker takes, and always their size, their hash and where the request stood.
     */
    CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason);

    /**
     * Publishes an answer that could not be published elsewhere as a dead letter: the answer's bytes with the request's headers, the
     * reason in headers, and {@link DeadLetterReason#CONTENT_HEADER} in one more.
     */
    CompletionStage<PublishResult> publishAnswerAsDeadLetter(Delivery request, byte[] answer, DeadLetterReason reason);

    /** The waits for which requests can be put off, shortest first and always the same; none if there is no place for them. */
    default List<Duration> supportedDelays() {
        return List.of();
    }

    /**
     * Publishes the request's original bytes, key or correlation id, and headers, to where they are handed over again once the
     * delay is over: never earlier by the broker's clock, and later by little. The state is among the headers then, instead of any
     * that was.
     *
     * @param delay one of {@link #supportedDelays}
     */
    default CompletionStage<PublishResult> publishDelayedRetry(Delivery request, Duration delay, DelayedRetry state) {
        return CompletableFuture.completedFuture(new PublishResult.Failed("there is no place to put requests off to"));
    }

    /** Gives up what is not confirmed yet: its stages complete as failed. */
    @Override
    void close();
}
