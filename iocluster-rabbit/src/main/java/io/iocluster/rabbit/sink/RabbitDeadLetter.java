package io.iocluster.rabbit.sink;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.ledger.RabbitDelivery;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.TruncatableMessage;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Publishes the dead letter of one request, truncated if it is too large for the broker. Immutable. */
final class RabbitDeadLetter {

    private static final byte[] NO_PAYLOAD = {};

    private final RabbitDelivery request;
    private final DeadLetterReason reason;
    private final String nodeId;
    private final Instant now;

    RabbitDeadLetter(RabbitDelivery request, DeadLetterReason reason, String nodeId, Instant now) {
        this.request = request;
        this.reason = reason;
        this.nodeId = nodeId;
        this.now = now;
    }

    /** Publishes one version of the dead letter. */
    @FunctionalInterface
    interface PublishFunction {
        CompletionStage<PublishResult> publish(BasicProperties properties, byte[] body);
    }

    /** Publishes the largest version that the broker accepts. */
    CompletionStage<PublishResult> publish(PublishFunction broker) {
        byte[] payload = request.payload();
        TruncatableMessage versions = new TruncatableMessage()
                .addVersion(
                        null, () -> broker.publish(OutgoingProperties.deadLetter(request, reasons(reason)), payload))
                .addVersion(
                        TruncatableMessage.WITHOUT_HEADERS,
                        () -> broker.publish(truncated(TruncatableMessage.WITHOUT_HEADERS, reason), payload));
        if (payload.length > TruncatableMessage.MAX_PREFIX_BYTES) {
            versions.addVersion(
                    TruncatableMessage.WITHOUT_HEADERS_AND_PAYLOAD,
                    () -> broker.publish(
                            truncated(TruncatableMessage.WITHOUT_HEADERS_AND_PAYLOAD, reason),
                            TruncatableMessage.payloadPrefix(payload)));
        }
        return versions.addVersion(
                        TruncatableMessage.WITHOUT_HEADERS_AND_PAYLOAD,
                        () -> broker.publish(
                                truncated(TruncatableMessage.WITHOUT_HEADERS_AND_PAYLOAD, reason.brief()), NO_PAYLOAD))
                .publish();
    }

    /** Publishes the answer instead of the request, without the sender's headers if it is too large with them. */
    CompletionStage<PublishResult> publishAnswer(byte[] answer, PublishFunction broker) {
        return new TruncatableMessage()
                .addVersion(
                        null,
                        () -> broker.publish(
                                OutgoingProperties.deadLetterWithAnswer(
                                        OutgoingProperties.deadLetter(request, reasons(reason))),
                                answer))
                .addVersion(
                        TruncatableMessage.WITHOUT_HEADERS,
                        () -> broker.publish(
                                OutgoingProperties.deadLetterWithAnswer(
                                        truncated(TruncatableMessage.WITHOUT_HEADERS, reason, answer)),
                                answer))
                .publish();
    }

    private BasicProperties truncated(String truncation, DeadLetterReason why) {
        return truncated(truncation, why, request.payload());
    }

    private BasicProperties truncated(String truncation, DeadLetterReason why, byte[] payload) {
        Map<String, byte[]> headers = new HashMap<>(reasons(why));
        headers.putAll(TruncatableMessage.truncationHeaders(truncation, payload));
        return OutgoingProperties.deadLetterWithoutHeaders(request, headers);
    }

    private Map<String, byte[]> reasons(DeadLetterReason why) {
        return why.headers(request.coordinates(), nodeId, now);
    }
}
