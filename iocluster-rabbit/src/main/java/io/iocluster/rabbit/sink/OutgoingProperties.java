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

/** The properties of what this node publishes. All of it is persistent. Stateless. */
public final class OutgoingProperties {

    private static final int PERSISTENT = 2;
    private static final String JSON = "application/json";
    private static final String BROKERS_TIMESTAMP = "timestamp_in_ms";

    /** With these a sender may name further queues, which are not this node's to serve. */
    private static final Set<String> ROUTING = Set.of("CC", "BCC");

    /** What the broker wrote of the request's own way. */
    private static final Set<String> OF_THE_REQUEST = Set.of(
            BROKERS_TIMESTAMP,
            "x-death",
            "x-first-death-exchange",
            "x-first-death-queue",
            "x-first-death-reason",
            "x-last-death-exchange",
            "x-last-death-queue",
            "x-last-death-reason",
            "x-delivery-count",
            "x-acquired-count");

    private OutgoingProperties() {}

    /**
     * Correlation id, priority and headers travel from request to answer; how long a request lives says nothing of its answer.
     *
     * @param trace what the answer has in place of the request's; null for none
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
            if (ROUTING.contains(name) || OF_THE_REQUEST.contains(name) || ReservedHeaders.isReserved(name)) {
                Map<String, Object> kept = foreign(headers);
                kept.keySet().removeAll(OF_THE_REQUEST);
                return kept;
            }
        }
        return headers;
    }

    /** Returns a copy of the sender's headers, without those that route a message and those that only nodes write. */
    private static Map<String, Object> foreign(Map<String, Object> headers) {
        Map<String, Object> kept = headers == null ? new HashMap<>() : new HashMap<>(headers);
        kept.keySet().removeIf(name -> ROUTING.contains(name) || ReservedHeaders.isReserved(name));
        return kept;
    }

    /** All that the original has but what would make the broker drop it, deliver it elsewhere, or refuse it. */
    static BasicProperties deadLetter(RabbitDelivery request, Map<String, byte[]> reasons) {
        Map<String, Object> headers = foreign(request.properties().getHeaders());
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
     * All that the original has but what would bring it back at another time, or to another place. It was put on the queue, as far
     * as its lag goes, when it is due.
     *
     * @param userId the user by which nodes recognise it
     */
    public static BasicProperties delayedRetry(RabbitDelivery request, DelayedRetry state, String userId) {
        Map<String, Object> headers = foreign(request.properties().getHeaders());
        headers.keySet().removeAll(OF_THE_REQUEST);
        headers.put(BROKERS_TIMESTAMP, state.dueAt().toEpochMilli());
        if (request.userId() != null) {
            headers.put(RabbitDelivery.SENDER_USER_ID, request.userId());
        }
        return persistent(request.properties(), userId, headers, state.toHeaders());
    }

    /** AMQP counts seconds, so that the exact time stands where the broker itself would write it. */
    @SuppressWarnings("JavaUtilDate")
    public // The client knows no other.
    static BasicProperties request(String correlationId, Map<String, byte[]> headers) {
        long now = System.currentTimeMillis();
        Map<String, Object> all = new HashMap<>();
        headers.forEach((name, value) -> all.put(name, text(value)));
        all.put(BROKERS_TIMESTAMP, now);
        return new BasicProperties.Builder()
                .contentType(JSON)
                .headers(all)
                .deliveryMode(PERSISTENT)
                .correlationId(correlationId)
                .timestamp(new Date(now))
                .build();
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
