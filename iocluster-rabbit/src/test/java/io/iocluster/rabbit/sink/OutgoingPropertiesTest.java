package io.iocluster.rabbit.sink;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.LongStringHelper;
import io.iocluster.message.SentStatus;
import io.iocluster.rabbit.ledger.RabbitDelivery;
import io.iocluster.rabbit.ledger.TestDeliveries;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.TraceContext;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutgoingPropertiesTest {

    private static final BasicProperties REQUEST = new BasicProperties.Builder()
            .contentType("text/plain")
            .correlationId("c-1")
            .replyTo("r-1")
            .messageId("m-1")
            .priority(7)
            .expiration("60000")
            .userId("jo")
            .timestamp(TestDeliveries.date(1_000))
            .headers(new HashMap<>(Map.of(
                    "traceparent", LongStringHelper.asLongString("00-abc"),
                    "CC", List.of("elsewhere"),
                    "BCC", List.of("elsewhere"),
                    "x-delivery-count", 3L,
                    "timestamp_in_ms", 1_000L)))
            .build();

    @Test
    void anAnswerHasCorrelationPriorityAndHeadersOfItsRequest() {
        BasicProperties answer = OutgoingProperties.answer(REQUEST, null);

        assertThat(answer.getCorrelationId()).isEqualTo("c-1");
        assertThat(answer.getPriority()).isEqualTo(7);
        assertThat(answer.getDeliveryMode()).isEqualTo(2);
        assertThat(answer.getContentType()).isEqualTo("application/json");
        assertThat(answer.getHeaders()).containsOnlyKeys("traceparent");
        assertThat(answer.getExpiration()).isNull();
        assertThat(answer.getUserId()).isNull();
        assertThat(answer.getReplyTo()).isNull();
    }

    @Test
    void anAnswerHasTheGivenTraceContextInsteadOfTheRequests() {
        Map<String, Object> headers = Map.of("tenant", "blue", "traceparent", "00-1", "tracestate", "a=1");
        BasicProperties request = new BasicProperties.Builder().headers(headers).build();

        assertThat(OutgoingProperties.answer(request, new TraceContext("00-2", null))
                        .getHeaders())
                .isEqualTo(Map.of("tenant", "blue", "traceparent", "00-2"));
        assertThat(OutgoingProperties.answer(new BasicProperties(), new TraceContext("00-2", "b=2"))
                        .getHeaders())
                .isEqualTo(Map.of("traceparent", "00-2", "tracestate", "b=2"));
    }

    @Test
    void anAnswerCopiesTheHeadersOfTheRequest() {
        Map<String, Object> headers = Map.of("tenant", "blue");

        assertThat(OutgoingProperties.answer(
                                new BasicProperties.Builder().headers(headers).build(), null)
                        .getHeaders())
                .isEqualTo(headers);
        assertThat(OutgoingProperties.answer(new BasicProperties(), null).getHeaders())
                .isNull();
    }

    @Test
    void removesForgedReservedHeaders() {
        BasicProperties forged = REQUEST.builder()
                .headers(Map.of("iocluster-error", "forged", "iocluster-due-at", "now", "tenant", "blue"))
                .build();
        RabbitDelivery request = TestDeliveries.of(forged, "body");
        Instant now = Instant.ofEpochMilli(10_000);
        DelayedRetry state = new DelayedRetry("requests/m-1", 2, SentStatus.NO, now, now, now);

        assertThat(OutgoingProperties.answer(forged, null).getHeaders()).containsOnlyKeys("tenant");
        assertThat(OutgoingProperties.deadLetter(request, Map.of()).getHeaders())
                .containsOnlyKeys("tenant");
        assertThat(OutgoingProperties.delayedRetry(request, state, "nodes").getHeaders())
                .containsEntry("iocluster-due-at", now.toString())
                .doesNotContainKey("iocluster-error");
    }

    @Test
    void aDeadLetterKeepsThePropertiesExceptExpirationUserIdAndRouting() {
        RabbitDelivery request = TestDeliveries.of(REQUEST, "body");

        Map<String, byte[]> reasons = new DeadLetterReason("malformed-envelope", "no JSON: ÿ")
                .headers(request.coordinates(), "n-1", Instant.now());
        BasicProperties letter = OutgoingProperties.deadLetter(request, reasons);

        assertThat(letter.getCorrelationId()).isEqualTo("c-1");
        assertThat(letter.getReplyTo()).isEqualTo("r-1");
        assertThat(letter.getMessageId()).isEqualTo("m-1");
        assertThat(letter.getContentType()).isEqualTo("text/plain");
        assertThat(letter.getTimestamp()).isEqualTo(TestDeliveries.date(1_000));
        assertThat(letter.getDeliveryMode()).isEqualTo(2);
        assertThat(letter.getExpiration()).isNull();
        assertThat(letter.getUserId()).isNull();
        assertThat(letter.getHeaders())
                .doesNotContainKeys("CC", "BCC")
                .containsKeys("traceparent", "x-delivery-count", "iocluster-failed-at")
                .containsEntry("iocluster-error-code", "malformed-envelope")
                .containsEntry("iocluster-error", "no JSON: ÿ")
                .containsEntry("iocluster-source", "requests/m-1")
                .containsEntry("iocluster-node", "n-1");
    }

    @Test
    void aDelayedRetryKeepsThePropertiesExceptExpirationAndRouting() {
        Instant now = Instant.ofEpochMilli(10_000);
        DelayedRetry state =
                new DelayedRetry("requests/m-1", 2, SentStatus.MAYBE, now, now.plusSeconds(60), now.plusSeconds(30));

        BasicProperties later = OutgoingProperties.delayedRetry(TestDeliveries.of(REQUEST, "body"), state, "nodes");

        RabbitDelivery again = TestDeliveries.delayedRetry(later, "body");
        assertThat(DelayedRetry.fromHeaders(again)).isEqualTo(state);
        assertThat(again.coordinates()).isEqualTo("requests/m-1");
        assertThat(again.correlationId()).isEqualTo("c-1");
        assertThat(again.replyTo()).isEqualTo("r-1");
        assertThat(again.earlierDeliveries()).isZero();
        assertThat(again.timeToLiveMillis()).isNegative();
        assertThat(again.timestampMillis()).isEqualTo(40_000);
        assertThat(later.getDeliveryMode()).isEqualTo(2);
        assertThat(later.getPriority()).isEqualTo(7);
        assertThat(later.getUserId()).isEqualTo("nodes");
        assertThat(later.getTimestamp()).isEqualTo(REQUEST.getTimestamp());
        assertThat(later.getHeaders()).containsKey("traceparent").doesNotContainKeys("CC", "BCC", "x-delivery-count");
        assertThat(OutgoingProperties.answer(later, null).getHeaders()).containsOnlyKeys("traceparent");
    }

    @Test
    void aReplayedRequestHasThePropertiesOfTheRequestAndTheTimeOfTheReplay() {
        Map<String, byte[]> reasons =
                new DeadLetterReason("no-usable-answer", "why").headers("requests/m-1", "n-1", Instant.now());
        BasicProperties letter = OutgoingProperties.deadLetter(TestDeliveries.of(REQUEST, "body"), reasons);

        BasicProperties replayed =
                OutgoingProperties.replayed(letter, Map.of("iocluster-replayed", new byte[] {'p'}), 1_234);

        assertThat(replayed.getCorrelationId()).isEqualTo("c-1");
        assertThat(replayed.getReplyTo()).isEqualTo("r-1");
        assertThat(replayed.getMessageId()).isEqualTo("m-1");
        assertThat(replayed.getContentType()).isEqualTo("text/plain");
        assertThat(replayed.getExpiration()).isNull();
        assertThat(replayed.getTimestamp()).isEqualTo(TestDeliveries.date(1_234));
        assertThat(replayed.getHeaders())
                .containsOnlyKeys("traceparent", "timestamp_in_ms", "iocluster-replayed")
                .containsEntry("iocluster-replayed", "p")
                .containsEntry("timestamp_in_ms", 1_234L);
    }

    @Test
    void aRequestHasItsTimestampInMilliseconds() {
        BasicProperties request =
                OutgoingProperties.request("c-1", Map.of("a", new byte[] {(byte) 0xc3, (byte) 0xbf}), 1_234);

        assertThat(request.getCorrelationId()).isEqualTo("c-1");
        assertThat(request.getHeaders()).containsEntry("a", "ÿ").containsEntry("timestamp_in_ms", 1_234L);
    }
}
