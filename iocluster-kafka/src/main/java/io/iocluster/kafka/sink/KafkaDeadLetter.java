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

/** Builds the dead letter of one record: whole, and in smaller versions if it is too large for the topic. Immutable. */
final class KafkaDeadLetter {

    private static final byte[] NO_PAYLOAD = {};

    private final ConsumerRecord<byte[], byte[]> asked;
    private final byte[] content;
    private final boolean holdsAnswer;
    private final String topic;
    private final DeadLetterReason reason;
    private final String nodeId;
    private final Instant now = Instant.now();

    private KafkaDeadLetter(
            ConsumerRecord<byte[], byte[]> asked,
            byte[] content,
            boolean holdsAnswer,
            String topic,
            DeadLetterReason reason,
            String nodeId) {
        this.asked = asked;
        this.content = content;
        this.holdsAnswer = holdsAnswer;
        this.topic = topic;
        this.reason = reason;
        this.nodeId = nodeId;
    }

    /** Returns one that holds the request, of which a part may be left out. */
    static KafkaDeadLetter withRequest(
            ConsumerRecord<byte[], byte[]> asked, String topic, DeadLetterReason reason, String nodeId) {
        return new KafkaDeadLetter(asked, asked.value(), false, topic, reason, nodeId);
    }

    /** Returns one that holds the answer, which is always whole. */
    static KafkaDeadLetter withAnswer(
            ConsumerRecord<byte[], byte[]> asked, byte[] answer, String topic, DeadLetterReason reason, String nodeId) {
        return new KafkaDeadLetter(asked, answer, true, topic, reason, nodeId);
    }

    /** Publishes the largest version that fits the topic. */
    CompletionStage<PublishResult> publish(
            Function<ProducerRecord<byte[], byte[]>, ? extends CompletionStage<PublishResult>> publisher) {
        TruncatableMessage versions = new TruncatableMessage().addVersion(null, () -> publisher.apply(whole()));
        boolean longContent = !holdsAnswer && payload().length > TruncatableMessage.MAX_PREFIX_BYTES;
        boolean longKey = OutgoingRecords.hasLongKey(asked);
        if (OutgoingRecords.hasHeaders(asked)) {
            versions.addVersion(
                    TruncatableMessage.WITHOUT_HEADERS,
                    () -> publisher.apply(cut(
                            OutgoingRecords.withoutHeaders(asked, topic, content),
                            TruncatableMessage.WITHOUT_HEADERS,
                            reason)));
        }
        if (longContent) {
            versions.addVersion(
                    TruncatableMessage.WITHOUT_HEADERS_AND_PAYLOAD,
                    () -> publisher.apply(cut(
                            OutgoingRecords.withoutHeaders(asked, topic, TruncatableMessage.payloadPrefix(payload())),
                            TruncatableMessage.WITHOUT_HEADERS_AND_PAYLOAD,
                            reason)));
        }
        if (longKey) {
            versions.addVersion(
                    TruncatableMessage.WITHOUT_HEADERS_AND_KEY,
                    () -> publisher.apply(cut(
                            OutgoingRecords.withoutHeadersAndKey(asked, topic, content),
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

    private ProducerRecord<byte[], byte[]> whole() {
        return with(OutgoingRecords.whole(asked, topic, content), reason);
    }

    private ProducerRecord<byte[], byte[]> withoutHeadersKeyAndPayload(byte[] kept, DeadLetterReason why) {
        return cut(
                OutgoingRecords.withoutHeadersAndKey(asked, topic, kept),
                TruncatableMessage.WITHOUT_HEADERS_KEY_AND_PAYLOAD,
                why);
    }

    private ProducerRecord<byte[], byte[]> cut(
            ProducerRecord<byte[], byte[]> letter, String cut, DeadLetterReason why) {
        return add(with(letter, why), TruncatableMessage.truncationHeaders(cut, payload()));
    }

    private ProducerRecord<byte[], byte[]> with(ProducerRecord<byte[], byte[]> letter, DeadLetterReason why) {
        add(letter, why.headers(KafkaDelivery.coordinates(asked), nodeId, now));
        if (holdsAnswer) {
            letter.headers()
                    .add(
                            DeadLetterReason.CONTENT_HEADER,
                            DeadLetterReason.CONTENT_ANSWER.getBytes(StandardCharsets.UTF_8));
        }
        return letter;
    }

    private static ProducerRecord<byte[], byte[]> add(
            ProducerRecord<byte[], byte[]> letter, Map<String, byte[]> headers) {
        headers.forEach(letter.headers()::add);
        return letter;
    }
}
