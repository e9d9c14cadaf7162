package io.iocluster.kafka;

import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.PutOff;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.TraceContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/** Publishes answers, dead letters and what is put off, with the key and the headers of their request, confirmed by all replicas in sync. */
public final class KafkaSink implements ResponseSink {

    private final KafkaSettings settings;
    private final String nodeId;
    private final TopicNames names;
    private final DelayedTopics delayed;
    private final Publisher publisher;

    KafkaSink(KafkaSettings settings, ClientProperties properties, String nodeId) {
        this.settings = settings;
        this.nodeId = nodeId;
        this.names = new TopicNames(settings);
        this.delayed = settings.delayedTopics();
        this.publisher = Publisher.ofAnswers(properties, "sink", settings.confirmTimeout());
    }

    @Override
    public void start() {
        publisher.start();
    }

    @Override
    public boolean allowsReplyTo(String replyTo) {
        return names.allowsReplyTo(replyTo);
    }

    @Override
    public boolean isKnownMissing(String replyTo) {
        return !replyTo.equals(settings.answers().topic()) && publisher.isKnownMissing(replyTo);
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        ConsumerRecord<byte[], byte[]> asked = ((KafkaDelivery) request).message();
        String topic = replyTo == null ? settings.answers().topic() : replyTo;
        ProducerRecord<byte[], byte[]> record = copy(asked, topic, answer);
        if (trace != null) {
            replace(record.headers(), TraceContext.TRACEPARENT, trace.traceparent());
            replace(record.headers(), TraceContext.TRACESTATE, trace.tracestate());
        }
        return post(record);
    }

    private static void replace(Headers headers, String name, String value) {
        headers.remove(name);
        if (value != null) {
            headers.add(name, value.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        ConsumerRecord<byte[], byte[]> asked = ((KafkaDelivery) request).message();
        return post(deadLetter(request, asked.value(), reason)).thenApply(KafkaSink::neverTooLarge);
    }

    @Override
    public CompletionStage<PublishResult> publishDeadAnswer(Delivery request, byte[] answer, DeadLetterReason reason) {
        ProducerRecord<byte[], byte[]> letter = deadLetter(request, answer, reason);
        replace(letter.headers(), DeadLetterReason.CONTENT, DeadLetterReason.ANSWER);
        return post(letter);
    }

    private ProducerRecord<byte[], byte[]> deadLetter(Delivery request, byte[] content, DeadLetterReason reason) {
        ConsumerRecord<byte[], byte[]> asked = ((KafkaDelivery) request).message();
        ProducerRecord<byte[], byte[]> letter =
                copy(asked, settings.deadLetters().topic(), content);
        Headers headers = letter.headers();
        Map<String, byte[]> reasons = reason.headers(request.coordinates(), nodeId, Instant.now());
        reasons.forEach((name, value) -> headers.remove(name).add(name, value));
        return letter;
    }

    @Override
    public List<Duration> delays() {
        return settings.delayed().delays();
    }

    @Override
    public CompletionStage<PublishResult> putOff(Delivery request, Duration delay, PutOff state) {
        ConsumerRecord<byte[], byte[]> asked = ((KafkaDelivery) request).message();
        ProducerRecord<byte[], byte[]> later = copy(asked, delayed.waitingFor(delay), asked.value());
        state.headers().forEach(later.headers()::add);
        return post(later).thenApply(KafkaSink::neverTooLarge);
    }

    /** Another message with the key and the headers of this one, but for those of its being put off. */
    private static ProducerRecord<byte[], byte[]> copy(
            ConsumerRecord<byte[], byte[]> asked, String topic, byte[] value) {
        ProducerRecord<byte[], byte[]> copy = new ProducerRecord<>(topic, null, asked.key(), value, asked.headers());
        if (asked.headers().lastHeader(PutOff.DUE) != null) {
            PutOff.HEADERS.forEach(copy.headers()::remove);
        }
        return copy;
    }

    /** What is published again as it is cannot be made smaller. */
    private static PublishResult neverTooLarge(PublishResult result) {
        return result instanceof PublishResult.TooLarge tooLarge
                ? new PublishResult.Failed(tooLarge.problem())
                : result;
    }

    /** Publishes any message. Any thread. */
    CompletableFuture<PublishResult> post(ProducerRecord<byte[], byte[]> message) {
        Publication publication = new Publication(message, publisher);
        publisher.post(publication);
        return publication;
    }

    @Override
    public void close() {
        publisher.close();
    }
}
