package io.iocluster.kafka;

import io.iocluster.transport.CutMessage;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.PutOff;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.TraceContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
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
    public boolean allowsReplyTo(Delivery request, String replyTo) {
        byte[] key = ((KafkaDelivery) request).message().key();
        return names.allowsReplyTo(request, key, replyTo);
    }

    @Override
    public boolean isKnownMissing(String replyTo) {
        return !replyTo.equals(settings.answers().topic()) && publisher.isKnownMissing(replyTo);
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        ConsumerRecord<byte[], byte[]> asked = ((KafkaDelivery) request).message();
        String topic = replyTo == null ? settings.answers().topic() : replyTo;
        CompletionStage<PublishResult> whole = post(traced(OutgoingRecords.whole(asked, topic, answer), trace));
        boolean hasHeaders = OutgoingRecords.hasHeaders(asked);
        boolean hasLongKey = OutgoingRecords.hasLongKey(asked);
        if (!hasHeaders && !hasLongKey) {
            return whole;
        }
        CutMessage versions = new CutMessage().then(null, () -> whole);
        if (hasHeaders) {
            versions.then(
                    CutMessage.HEADERS,
                    () -> post(cut(OutgoingRecords.withoutHeaders(asked, topic, answer), CutMessage.HEADERS, trace)));
        }
        if (hasLongKey) {
            versions.then(
                    CutMessage.HEADERS_AND_KEY,
                    () -> post(cut(
                            OutgoingRecords.withoutHeadersAndKey(asked, topic, answer),
                            CutMessage.HEADERS_AND_KEY,
                            trace)));
        }
        return versions.publish();
    }

    private static ProducerRecord<byte[], byte[]> cut(
            ProducerRecord<byte[], byte[]> answer, String cut, TraceContext trace) {
        answer.headers().add(CutMessage.CUT, cut.getBytes(StandardCharsets.UTF_8));
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
        return bury(((KafkaDelivery) request).message(), reason);
    }

    @Override
    public CompletionStage<PublishResult> publishDeadAnswer(Delivery request, byte[] answer, DeadLetterReason reason) {
        return DeadLetter.withAnswer(
                        ((KafkaDelivery) request).message(),
                        answer,
                        settings.deadLetters().topic(),
                        reason,
                        nodeId)
                .publish(this::post);
    }

    /** Publishes a record as a dead letter. Any thread. */
    CompletionStage<PublishResult> bury(ConsumerRecord<byte[], byte[]> message, DeadLetterReason reason) {
        return DeadLetter.withRequest(message, settings.deadLetters().topic(), reason, nodeId)
                .publish(this::post)
                .thenApply(KafkaSink::neverTooLarge);
    }

    @Override
    public List<Duration> delays() {
        return settings.delayed().delays();
    }

    @Override
    public CompletionStage<PublishResult> putOff(Delivery request, Duration delay, PutOff state) {
        ConsumerRecord<byte[], byte[]> asked = ((KafkaDelivery) request).message();
        ProducerRecord<byte[], byte[]> later = OutgoingRecords.whole(asked, delayed.waitingFor(delay), asked.value());
        state.headers().forEach(later.headers()::add);
        return post(later);
    }

    /** The smallest dead letter cannot be made smaller. */
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
