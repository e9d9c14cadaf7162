package io.iocluster.kafka.sink;

import io.iocluster.kafka.ledger.KafkaDelivery;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.TruncatableMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Builds the dead letter of one record, complete or in a smaller version that fits the topic. Immutable. */
final class KafkaDeadLetter {

    private static final byte[] NO_PAYLOAD = {};

    private final ConsumerRecord<byte[], byte[]> request;
    private final byte[] content;
    private final boolean holdsAnswer;
    private final String topic;
    private final DeadLetterReason reason;
    private final String nodeId;
    private final Instant now;

    private KafkaDeadLetter(
            ConsumerRecord<byte[], byte[]> request,
            byte[] content,
            boolean holdsAnswer,
            String topic,
            DeadLetterReason reason,
            String nodeId,
            Instant now) {
        this.now = now;
        this.request = request;
        this.content = content;
        this.holdsAnswer = holdsAnswer;
        this.topic = topic;
        this.reason = reason;
        this.nodeId = nodeId;
    }

    /** Creates a dead letter that contains the request, which may be truncated. */
    static KafkaDeadLetter withRequest(
            ConsumerRecord<byte[], byte[]> request, String topic, DeadLetterReason reason, String nodeId, Instant now) {
        return new KafkaDeadLetter(request, request.value(), false, topic, reason, nodeId, now);
    }

    /** Creates a dead letter that contains the answer, which is never truncated. */
    static KafkaDeadLetter withAnswer(
            ConsumerRecord<byte[], byte[]> request,
            byte[] answer,
            String topic,
            DeadLetterReason reason,
            String nodeId,
            Instant now) {
        return new KafkaDeadLetter(request, answer, true, topic, reason, nodeId, now);
    }

    /** Publishes the largest version that fits the topic. */
    CompletionStage<PublishResult> publish(
            Function<ProducerRecord<byte[], byte[]>, ? extends CompletionStage<PublishResult>> publisher) {
        TruncatableMessage versions = new TruncatableMessage().addVersion(null, () -> publisher.apply(complete()));
        boolean longContent = !holdsAnswer && payload().length > TruncatableMessage.MAX_PREFIX_BYTES;
        boolean longKey = OutgoingRecords.hasLongKey(request);
        if (OutgoingRecords.hasHeaders(request)) {
            versions.addVersion(
                    TruncatableMessage.WITHOUT_HEADERS,
                    () -> publisher.apply(truncated(
                            OutgoingRecords.withoutHeaders(request, topic, content),
                            TruncatableMessage.WITHOUT_HEADERS,
                            reason)));
        }
        if (longContent) {
            versions.addVersion(
                    TruncatableMessage.WITHOUT_HEADERS_AND_PAYLOAD,
                    () -> publisher.apply(truncated(
                            OutgoingRecords.withoutHeaders(request, topic, TruncatableMessage.payloadPrefix(payload())),
                            TruncatableMessage.WITHOUT_HEADERS_AND_PAYLOAD,
                            reason)));
        }
        if (longKey) {
            versions.addVersion(
                    TruncatableMessage.WITHOUT_HEADERS_AND_KEY,
                    () -> publisher.apply(truncated(
                            OutgoingRecords.withoutHeadersAndKey(request, topic, content),
                            TruncatableMessage.WITHOUT_HEADERS_AND_KEY,
                            reason)));
        }
        if (longKey && longContent) {
            versions.addVersion(
                    TruncatableMessage.WITHOUT_HEADERS_KEY_AND_PAYLOAD,
                    () -> publisher.apply(
                            withoutHeadersKeyAndPayload(TruncatableMessage.payloadPrefix(payload()), reason)));
        }
        if (!holdsAnswer) {
            versions.addVersion(
                    TruncatableMessage.WITHOUT_HEADERS_KEY_AND_PAYLOAD,
                    () -> publisher.apply(withoutHeadersKeyAndPayload(NO_PAYLOAD, reason.brief())));
        }
        return versions.publish();
    }

    private byte[] payload() {
        return content == null ? NO_PAYLOAD : content;
    }

    private ProducerRecord<byte[], byte[]> complete() {
        return with(OutgoingRecords.complete(request, topic, content), reason);
    }

    private ProducerRecord<byte[], byte[]> withoutHeadersKeyAndPayload(byte[] kept, DeadLetterReason why) {
        return truncated(
                OutgoingRecords.withoutHeadersAndKey(request, topic, kept),
                TruncatableMessage.WITHOUT_HEADERS_KEY_AND_PAYLOAD,
                why);
    }

    private ProducerRecord<byte[], byte[]> truncated(
            ProducerRecord<byte[], byte[]> record, String omitted, DeadLetterReason why) {
        return add(with(record, why), TruncatableMessage.truncationHeaders(omitted, payload()));
    }

    private ProducerRecord<byte[], byte[]> with(ProducerRecord<byte[], byte[]> record, DeadLetterReason why) {
        add(record, why.headers(KafkaDelivery.coordinates(request), nodeId, now));
        if (holdsAnswer) {
            record.headers()
                    .add(
                            DeadLetterReason.CONTENT_HEADER,
                            DeadLetterReason.CONTENT_ANSWER.getBytes(StandardCharsets.UTF_8));
        }
        return record;
    }

    private static ProducerRecord<byte[], byte[]> add(
            ProducerRecord<byte[], byte[]> record, Map<String, byte[]> headers) {
        headers.forEach(record.headers()::add);
        return record;
    }
}
