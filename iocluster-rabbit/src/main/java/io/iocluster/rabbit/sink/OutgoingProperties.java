package io.iocluster.rabbit.sink;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.ledger.RabbitDelivery;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.ReservedHeaders;
import io.iocluster.transport.TraceContext;
import io.iocluster.transport.TruncatableMessage;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Builds the properties of the messages that a node publishes. All messages are persistent. Stateless. */
public final class OutgoingProperties {

    private static final int PERSISTENT = 2;
    private static final String JSON = "application/json";
    private static final String BROKER_TIMESTAMP = "timestamp_in_ms";

    /** Headers with which a sender may route a message to further queues. They are not copied. */
    private static final Set<String> ROUTING = Set.of("CC", "BCC");

    /** Headers in which the broker records the delivery history of the request. */
    private static final Set<String> DELIVERY_HISTORY = Set.of(
            BROKER_TIMESTAMP,
            "x-death",
            "x-first-death-exchange",
            "x-first-death-queue",
            "x-first-death-reason",
            "x-last-death-exchange",
            "x-last-death-queue",
            "x-last-death-reason",
            "x-delivery-count",
            "x-acquired-count");

    /** Headers in which a quorum queue counts the deliveries of a message. */
    private static final Set<String> DELIVERY_COUNTS = Set.of("x-delivery-count", "x-acquired-count");

    private OutgoingProperties() {}

    /**
     * Returns the properties of an answer: correlation id, priority and headers of the request, without its expiration.
     *
     * @param trace replaces the request's trace context; null to keep it
     */
    static BasicProperties answer(BasicProperties request, TraceContext trace) {
        return answer(request, traced(answerHeaders(request.getHeaders()), trace));
    }

    /** Returns the properties of an answer without the sender's headers. */
    static BasicProperties answerWithoutHeaders(BasicProperties request, TraceContext trace) {
        return answer(request, traced(Map.of(TruncatableMessage.TRUNCATED, TruncatableMessage.WITHOUT_HEADERS), trace));
    }

    private static BasicProperties answer(BasicProperties request, Map<String, Object> headers) {
        return new BasicProperties(
                JSON,
                null,
                headers,
                PERSISTENT,
                request.getPriority(),
                request.getCorrelationId(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private static Map<String, Object> traced(Map<String, Object> headers, TraceContext trace) {
        if (trace == null) {
            return headers;
        }
        Map<String, Object> traced = headers == null ? new HashMap<>() : new HashMap<>(headers);
        traced.put(TraceContext.TRACEPARENT, trace.traceparent());
        if (trace.tracestate() == null) {
            traced.remove(TraceContext.TRACESTATE);
        } else {
            traced.put(TraceContext.TRACESTATE, trace.tracestate());
        }
        return traced;
    }

    private static Map<String, Object> answerHeaders(Map<String, Object> headers) {
        if (headers == null || headers.isEmpty()) {
            return null;
        }
        for (String name : headers.keySet()) {
            if (ROUTING.contains(name) || DELIVERY_HISTORY.contains(name) || ReservedHeaders.isReserved(name)) {
                Map<String, Object> kept = senderHeaders(headers);
                kept.keySet().removeAll(DELIVERY_HISTORY);
                return kept;
            }
        }
        return headers;
    }

    /** Returns a copy of the sender's headers, without those that route a message and those that only nodes write. */
    private static Map<String, Object> senderHeaders(Map<String, Object> headers) {
        Map<String, Object> kept = headers == null ? new HashMap<>() : new HashMap<>(headers);
        kept.keySet().removeIf(name -> ROUTING.contains(name) || ReservedHeaders.isReserved(name));
        return kept;
    }

    /** Returns the request's properties, except those with which the broker would drop, reroute or refuse the dead letter. */
    static BasicProperties deadLetter(RabbitDelivery request, Map<String, byte[]> reasons) {
        Map<String, Object> headers = senderHeaders(request.properties().getHeaders());
        return persistent(request.properties(), null, headers, reasons);
    }

    /** Returns the properties of a dead letter without the sender's headers. */
    static BasicProperties deadLetterWithoutHeaders(RabbitDelivery request, Map<String, byte[]> reasons) {
        return persistent(request.properties(), null, new HashMap<>(), reasons);
    }

    private static BasicProperties persistent(
            BasicProperties original, String userId, Map<String, Object> headers, Map<String, byte[]> added) {
        added.forEach((name, value) -> headers.put(name, text(value)));
        return original.builder()
                .headers(headers)
                .deliveryMode(PERSISTENT)
                .expiration(null)
                .userId(userId)
                .clusterId(null)
                .build();
    }

    /** Returns the properties of a dead letter that holds the answer. */
    static BasicProperties deadLetterWithAnswer(BasicProperties deadLetter) {
        Map<String, Object> headers = new HashMap<>(deadLetter.getHeaders());
        headers.put(DeadLetterReason.CONTENT_HEADER, DeadLetterReason.CONTENT_ANSWER);
        return deadLetter
                .builder()
                .headers(headers)
                .contentType(JSON)
                .contentEncoding(null)
                .build();
    }

    /**
     * Returns the request's properties, except those that would change when and where the message returns. The timestamp is the
     * time when the message is due, so that its delay does not count as lag.
     *
     * @param userId the user by which nodes recognise a delayed retry
     */
    public static BasicProperties delayedRetry(RabbitDelivery request, DelayedRetry state, String userId) {
        Map<String, Object> headers = senderHeaders(request.properties().getHeaders());
        headers.keySet().removeAll(DELIVERY_HISTORY);
        headers.put(BROKER_TIMESTAMP, state.dueAt().toEpochMilli());
        if (request.userId() != null) {
            headers.put(RabbitDelivery.SENDER_USER_ID, request.userId());
        }
        return persistent(request.properties(), userId, headers, state.toHeaders());
    }

    /**
     * Returns the properties of a client's request. The exact time is in the header that the broker itself would set, because the
     * AMQP timestamp has seconds only.
     *
     * @param now milliseconds since the epoch
     */
    @SuppressWarnings("JavaUtilDate") // The client's API uses Date.
    public static BasicProperties request(String correlationId, Map<String, byte[]> headers, long now) {
        Map<String, Object> all = new HashMap<>();
        headers.forEach((name, value) -> all.put(name, text(value)));
        all.put(BROKER_TIMESTAMP, now);
        return new BasicProperties.Builder()
                .contentType(JSON)
                .headers(all)
                .deliveryMode(PERSISTENT)
                .correlationId(correlationId)
                .timestamp(new Date(now))
                .build();
    }

    /**
     * Returns the properties of a replayed request: those of the dead letter without its reason, with the time of the replay.
     *
     * @param marks further headers, in UTF-8
     * @param now milliseconds since the epoch
     */
    @SuppressWarnings("JavaUtilDate") // The client's API uses Date.
    public static BasicProperties replayed(BasicProperties deadLetter, Map<String, byte[]> marks, long now) {
        Map<String, Object> headers = senderHeaders(deadLetter.getHeaders());
        headers.keySet().removeAll(DELIVERY_HISTORY);
        headers.put(BROKER_TIMESTAMP, now);
        return persistent(deadLetter, null, headers, marks)
                .builder()
                .timestamp(new Date(now))
                .build();
    }

    /** Returns the properties for publishing a dead letter again, without its delivery count. */
    public static BasicProperties renewed(BasicProperties deadLetter) {
        Map<String, Object> headers = new HashMap<>(deadLetter.getHeaders());
        headers.keySet().removeAll(DELIVERY_COUNTS);
        headers.keySet().removeAll(ROUTING);
        return deadLetter
                .builder()
                .headers(headers)
                .deliveryMode(PERSISTENT)
                .userId(null)
                .clusterId(null)
                .build();
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
