package io.iocluster.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.transport.CutMessage;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.PublishResult;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Builds the dead letter of one request: whole, and in smaller versions if it is too large for the broker. Immutable. */
final class DeadLetter {

    private static final byte[] NO_PAYLOAD = {};

    private final RabbitDelivery request;
    private final DeadLetterReason reason;
    private final String nodeId;
    private final Instant now = Instant.now();

    DeadLetter(RabbitDelivery request, DeadLetterReason reason, String nodeId) {
        this.request = request;
        this.reason = reason;
        this.nodeId = nodeId;
    }

    /** Publishes one version. */
    @FunctionalInterface
    interface Publishing {
        CompletionStage<PublishResult> publish(BasicProperties properties, byte[] body);
    }

    /** Publishes the largest version that the broker accepts. */
    CompletionStage<PublishResult> publish(Publishing broker) {
        byte[] payload = request.payload();
        CutMessage versions = new CutMessage()
                .then(null, () -> broker.publish(OutgoingProperties.deadLetter(request, reasons(reason)), payload))
                .then(CutMessage.HEADERS, () -> broker.publish(cut(CutMessage.HEADERS, reason), payload));
        if (payload.length > CutMessage.PREFIX_BYTES) {
            versions.then(
                    CutMessage.HEADERS_AND_PAYLOAD,
                    () -> broker.publish(cut(CutMessage.HEADERS_AND_PAYLOAD, reason), CutMessage.prefix(payload)));
        }
        return versions.then(
                        CutMessage.HEADERS_AND_PAYLOAD,
                        () -> broker.publish(cut(CutMessage.HEADERS_AND_PAYLOAD, reason.brief()), NO_PAYLOAD))
                .publish();
    }

    /** Publishes the answer in place of the request. Leaves out the sender's headers if it does not fit with them. */
    CompletionStage<PublishResult> publishAnswer(byte[] answer, Publishing broker) {
        return new CutMessage()
                .then(
                        null,
                        () -> broker.publish(
                                OutgoingProperties.deadAnswer(OutgoingProperties.deadLetter(request, reasons(reason))),
                                answer))
                .then(
                        CutMessage.HEADERS,
                        () -> broker.publish(
                                OutgoingProperties.deadAnswer(cut(CutMessage.HEADERS, reason, answer)), answer))
                .publish();
    }

    private BasicProperties cut(String cut, DeadLetterReason why) {
        return cut(cut, why, request.payload());
    }

    private BasicProperties cut(String cut, DeadLetterReason why, byte[] payload) {
        Map<String, byte[]> headers = new HashMap<>(reasons(why));
        headers.putAll(CutMessage.headers(cut, payload));
        return OutgoingProperties.cutDeadLetter(request, headers);
    }

    private Map<String, byte[]> reasons(DeadLetterReason why) {
        return why.headers(request.coordinates(), nodeId, now);
    }
}
