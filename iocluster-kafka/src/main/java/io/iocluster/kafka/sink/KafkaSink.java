package io.iocluster.kafka.sink;

import io.iocluster.kafka.config.DelayedTopics;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.TopicNames;
import io.iocluster.kafka.ledger.KafkaDelivery;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.TraceContext;
import io.iocluster.transport.TruncatableMessage;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/** Publishes answers, dead letters and delayed retries with the key and the headers of their request. Thread-safe. */
public final class KafkaSink implements ResponseSink {

    private final KafkaSettings settings;
    private final String nodeId;
    private final Clock clock;
    private final TopicNames names;
    private final DelayedTopics delayed;
    private final KafkaPublisher publisher;

    /** Creates a sink that is not started. */
    public KafkaSink(KafkaConnections connections) {
        this.settings = connections.settings();
        this.nodeId = connections.name();
        this.clock = connections.platform().clock();
        this.names = new TopicNames(settings);
        this.delayed = settings.delayedTopics();
        this.publisher = KafkaPublisher.forAnswers(connections, "sink");
    }

    @Override
    public void start() {
        publisher.start(settings.answers().topic());
    }

    @Override
    public boolean isReplyToAllowed(Delivery request, String replyTo) {
        byte[] key = ((KafkaDelivery) request).message().key();
        return names.allowsReplyTo(request, key, replyTo);
    }

    @Override
    public boolean isKnownMissing(String replyTo) {
        return !replyTo.equals(settings.answers().topic()) && publisher.isKnownMissing(replyTo);
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        ConsumerRecord<byte[], byte[]> consumed = ((KafkaDelivery) request).message();
        String topic = replyTo == null ? settings.answers().topic() : replyTo;
        ProducerRecord<byte[], byte[]> complete = traced(OutgoingRecords.complete(consumed, topic, answer), trace);
        boolean truncatable = OutgoingRecords.hasHeaders(consumed) || OutgoingRecords.hasLongKey(consumed);
        PendingSend publication = truncatable
                ? new PendingSend(complete, publisher, () -> publishTruncated(consumed, topic, answer, trace))
                : new PendingSend(complete, publisher);
        publisher.post(publication);
        return publication;
    }

    /** Publishes an answer that was too large, with less of its request. */
    private CompletionStage<PublishResult> publishTruncated(
            ConsumerRecord<byte[], byte[]> consumed, String topic, byte[] answer, TraceContext trace) {
        TruncatableMessage versions = new TruncatableMessage();
        if (OutgoingRecords.hasHeaders(consumed)) {
            versions.addVersion(
                    TruncatableMessage.WITHOUT_HEADERS,
                    () -> post(truncated(
                            OutgoingRecords.withoutHeaders(consumed, topic, answer),
                            TruncatableMessage.WITHOUT_HEADERS,
                            trace)));
        }
        if (OutgoingRecords.hasLongKey(consumed)) {
            versions.addVersion(
                    TruncatableMessage.WITHOUT_HEADERS_AND_KEY,
                    () -> post(truncated(
                            OutgoingRecords.withoutHeadersAndKey(consumed, topic, answer),
                            TruncatableMessage.WITHOUT_HEADERS_AND_KEY,
                            trace)));
        }
        return versions.publish();
    }

    private static ProducerRecord<byte[], byte[]> truncated(
            ProducerRecord<byte[], byte[]> answer, String omitted, TraceContext trace) {
        answer.headers().add(TruncatableMessage.TRUNCATED, omitted.getBytes(StandardCharsets.UTF_8));
        return traced(answer, trace);
    }

    private static ProducerRecord<byte[], byte[]> traced(ProducerRecord<byte[], byte[]> answer, TraceContext trace) {
        if (trace != null) {
            replace(answer.headers(), TraceContext.TRACEPARENT, trace.traceparent());
            replace(answer.headers(), TraceContext.TRACESTATE, trace.tracestate());
        }
        return answer;
    }

    private static void replace(Headers headers, String name, String value) {
        headers.remove(name);
        if (value != null) {
            headers.add(name, value.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        return deadLetter(((KafkaDelivery) request).message(), reason);
    }

    @Override
    public CompletionStage<PublishResult> publishAnswerAsDeadLetter(
            Delivery request, byte[] answer, DeadLetterReason reason) {
        return KafkaDeadLetter.withAnswer(
                        ((KafkaDelivery) request).message(),
                        answer,
                        settings.deadLetters().topic(),
                        reason,
                        nodeId,
                        clock.instant())
                .publish(this::post);
    }

    /** Publishes a record as a dead letter. Any thread. */
    public CompletionStage<PublishResult> deadLetter(ConsumerRecord<byte[], byte[]> message, DeadLetterReason reason) {
        return KafkaDeadLetter.withRequest(message, settings.deadLetters().topic(), reason, nodeId, clock.instant())
                .publish(this::post)
                .thenApply(KafkaSink::tooLargeAsFailure);
    }

    @Override
    public List<Duration> supportedDelays() {
        return settings.delayed().enabledTiers();
    }

    @Override
    public CompletionStage<PublishResult> publishDelayedRetry(Delivery request, Duration delay, DelayedRetry state) {
        ConsumerRecord<byte[], byte[]> consumed = ((KafkaDelivery) request).message();
        ProducerRecord<byte[], byte[]> later =
                OutgoingRecords.complete(consumed, delayed.delayTopic(delay), consumed.value());
        state.toHeaders().forEach(later.headers()::add);
        return post(later);
    }

    /** Converts "too large" into a failure, because there is no smaller version of the dead letter. */
    private static PublishResult tooLargeAsFailure(PublishResult result) {
        return result instanceof PublishResult.TooLarge tooLarge
                ? new PublishResult.Failed(tooLarge.problem())
                : result;
    }

    /** Publishes a record. Any thread. */
    public CompletableFuture<PublishResult> post(ProducerRecord<byte[], byte[]> message) {
        PendingSend publication = new PendingSend(message, publisher);
        publisher.post(publication);
        return publication;
    }

    @Override
    public void close() {
        publisher.close();
    }
}
