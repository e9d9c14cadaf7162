package io.iocluster.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.PutOff;
import io.iocluster.transport.TraceContext;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The properties of what this node publishes. All of it is persistent. Stateless. */
final class OutgoingProperties {

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
        return new BasicProperties(
                JSON,
                null,
                traced(answerHeaders(request.getHeaders()), trace),
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
            if (ROUTING.contains(name) || OF_THE_REQUEST.contains(name) || PutOff.HEADERS.contains(name)) {
                Map<String, Object> kept = new HashMap<>(headers);
                kept.keySet().removeAll(ROUTING);
                kept.keySet().removeAll(OF_THE_REQUEST);
                kept.keySet().removeAll(PutOff.HEADERS);
                return kept;
            }
        }
        return headers;
    }

    /** All that the original has but what would make the broker drop it, deliver it elsewhere, or refuse it. */
    static BasicProperties deadLetter(RabbitDelivery request, DeadLetterReason reason, String nodeId) {
        BasicProperties original = request.properties();
        Map<String, Object> headers = new HashMap<>();
        if (original.getHeaders() != null) {
            headers.putAll(original.getHeaders());
        }
        headers.keySet().removeAll(ROUTING);
        headers.keySet().removeAll(PutOff.HEADERS);
        reason.headers(request.coordinates(), nodeId, Instant.now())
                .forEach((name, value) -> headers.put(name, text(value)));
        return original.builder()
                .headers(headers)
                .deliveryMode(PERSISTENT)
                .expiration(null)
                .userId(null)
                .clusterId(null)
                .build();
    }

    /** As {@link #deadLetter}, for one that holds the answer. */
    static BasicProperties deadAnswer(RabbitDelivery request, DeadLetterReason reason, String nodeId) {
        BasicProperties letter = deadLetter(request, reason, nodeId);
        Map<String, Object> headers = new HashMap<>(letter.getHeaders());
        headers.put(DeadLetterReason.CONTENT, DeadLetterReason.ANSWER);
        return letter.builder()
                .headers(headers)
                .contentType(JSON)
                .contentEncoding(null)
                .build();
    }

    /**
     * All that the original has but what would bring it back at another time, or to another place. It was put on the queue, as far
     * as its lag goes, when it is due.
     */
    static BasicProperties putOff(RabbitDelivery request, PutOff state) {
        BasicProperties original = request.properties();
        Map<String, Object> headers = new HashMap<>();
        if (original.getHeaders() != null) {
            headers.putAll(original.getHeaders());
        }
        headers.keySet().removeAll(ROUTING);
        headers.keySet().removeAll(OF_THE_REQUEST);
        headers.keySet().removeAll(PutOff.HEADERS);
        state.headers().forEach((name, value) -> headers.put(name, text(value)));
        headers.put(BROKERS_TIMESTAMP, state.due().toEpochMilli());
        return original.builder()
                .headers(headers)
                .deliveryMode(PERSISTENT)
                .expiration(null)
                .userId(null)
                .clusterId(null)
                .build();
    }

    /** AMQP counts seconds, so that the exact time stands where the broker itself would write it. */
    @SuppressWarnings("JavaUtilDate") // The client knows no other.
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
