package io.iocluster.transport;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Publishes answers, dead letters and delayed retries. Thread-safe; no method blocks. A stage completes on a thread of
 * the sink when the broker has confirmed, and never exceptionally: a failed publish is a value.
 *
 * <p>A sink accepts only deliveries from the source of the same transport. It copies key, headers and correlation id from the
 * request to the answer.
 */
public interface ResponseSink extends ReplyToRules, AutoCloseable {

    /** Starts connecting. Returns at once, even if the broker is unreachable. */
    void start();

    /** Returns whether the broker accepts messages, as last known. */
    default boolean isReachable() {
        return true;
    }

    /**
     * Returns how many topics or queues are published to on another connection, because they confirm nothing and would
     * block the others.
     */
    default int isolatedQueues() {
        return 0;
    }

    /**
     * Publishes an answer.
     *
     * @param request the delivery that is answered
     * @param answer the encoded answer; the sink keeps the array, callers never write to it again
     * @param replyTo an {@linkplain #isReplyToAllowed allowed} topic or queue, or null for the configured one
     * @param trace the trace context for the answer's headers; null to copy the request's
     */
    CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace);

    /** Publishes an answer with its request's trace context. */
    default CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo) {
        return publish(request, answer, replyTo, null);
    }

    /**
     * Publishes the request's original bytes and headers as a dead letter, with the reason in headers. If the broker
     * refuses the size, publishes as much as it accepts, and always the payload's size, its hash and the request's
     * coordinates.
     */
    CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason);

    /**
     * Publishes an answer as a dead letter, because it could not be published to its topic or queue: the answer's
     * bytes, the request's headers, the reason in headers, and {@link DeadLetterReason#CONTENT_HEADER}.
     */
    CompletionStage<PublishResult> publishAnswerAsDeadLetter(Delivery request, byte[] answer, DeadLetterReason reason);

    /** Returns the delays for {@link #publishDelayedRetry}, shortest first; constant; empty if it is not supported. */
    default List<Duration> supportedDelays() {
        return List.of();
    }

    /**
     * Publishes the request's original bytes, headers, and key or correlation id for redelivery after the delay. By the
     * broker's clock the redelivery is never early and only slightly late. The state replaces any earlier one in the
     * headers.
     *
     * @param delay one of {@link #supportedDelays}
     */
    default CompletionStage<PublishResult> publishDelayedRetry(Delivery request, Duration delay, DelayedRetry state) {
        return CompletableFuture.completedFuture(new PublishResult.Failed("delayed retries are not supported"));
    }

    /** Closes the sink. Publishes that are not confirmed complete as failed. */
    @Override
    void close();
}
