package io.iocluster.node.tracing;

import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.DecodedRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.Outcome;
import io.iocluster.message.RequestDecoder;
import io.iocluster.trace.AttemptTrace;
import io.iocluster.trace.MessageTrace;
import io.iocluster.trace.MessageTrace.PublishType;
import io.iocluster.trace.MessageTrace.SettlementType;
import io.iocluster.trace.PublishTrace;
import io.iocluster.transport.PublishResult;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the attributes and parents of spans, and the trace context that is passed on. */
class OpenTelemetryTracingTest extends TracingFixture {

    private static final TargetUrl URL = new TargetUrl("https", "partner.example", 8443, "/buy?token=s3cr3t");
    private static final HttpRequest REQUEST = new HttpRequest(
            "POST",
            URL,
            List.of(new Header("Traceparent", "00-old"), new Header("tracestate", "old=1"), new Header("X-A", "a")),
            null);

    @Test
    void aMessageContinuesItsSendersTrace() {
        MessageTrace message = tracing.startMessage(new TracedDelivery(SENT), null);
        message.callEnded(Outcome.ANSWERED, null);
        message.settled(SettlementType.ACKNOWLEDGED);

        SpanData span = onlySpan();
        assertThat(span.getName()).isEqualTo("process requests");
        assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(span.getTraceId()).isEqualTo(TRACE);
        assertThat(span.getParentSpanId()).isEqualTo(SPAN);
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(text(span, "messaging.system")).isEqualTo("kafka");
        assertThat(text(span, "messaging.destination.name")).isEqualTo("requests");
        assertThat(text(span, "messaging.operation.type")).isEqualTo("process");
        assertThat(text(span, "iocluster.source")).isEqualTo("requests-0@7");
        assertThat(text(span, "iocluster.outcome")).isEqualTo("answered");
        assertThat(text(span, "iocluster.settlement")).isEqualTo("acknowledged");
        assertThat(span.getResource().getAttribute(stringKey("service.name"))).isEqualTo("iocluster");
        assertThat(span.getResource().getAttribute(stringKey("service.instance.id")))
                .isEqualTo("node-1");
    }

    @Test
    void aMessageWithoutATraceStartsOne() {
        MessageTrace message = tracing.startMessage(new TracedDelivery(Map.of()), null);
        message.settled(SettlementType.ACKNOWLEDGED);

        assertThat(onlySpan().getParentSpanContext().isValid()).isFalse();
        assertThat(onlySpan().getSpanContext().isSampled()).isTrue();
        assertThat(message.traceparent())
                .startsWith("00-" + onlySpan().getTraceId() + "-" + onlySpan().getSpanId() + "-");
    }

    @Test
    void ignoresAnInvalidTraceparent() {
        tracing.startMessage(new TracedDelivery(Map.of("traceparent", "00-1-2-01")), null)
                .settled(SettlementType.ACKNOWLEDGED);

        assertThat(onlySpan().getParentSpanContext().isValid()).isFalse();
    }

    @Test
    void continuesATraceFromTheEnvelopesHeaders() {
        String json =
                "{\"url\":\"http://a.example/\",\"headers\":{\"Traceparent\":\"" + SENT.get("traceparent") + "\"}}";
        var decoded = new RequestDecoder(1_000, 1).decode(json.getBytes(StandardCharsets.UTF_8));

        tracing.startMessage(new TracedDelivery(Map.of()), ((DecodedRequest.Valid) decoded).envelope())
                .settled(SettlementType.ACKNOWLEDGED);

        assertThat(onlySpan().getTraceId()).isEqualTo(TRACE);
        assertThat(onlySpan().getParentSpanId()).isEqualTo(SPAN);
    }

    @Test
    void anAttemptIsAClientSpanWithTheSemanticConventions() {
        MessageTrace message = tracing.startMessage(new TracedDelivery(SENT), null);

        message.startAttempt(REQUEST, 1).ended(response(201));

        SpanData span = onlySpan();
        assertThat(span.getName()).isEqualTo("POST");
        assertThat(span.getKind()).isEqualTo(SpanKind.CLIENT);
        assertThat("00-" + span.getTraceId() + "-" + span.getParentSpanId() + "-01")
                .isEqualTo(message.traceparent());
        assertThat(text(span, "http.request.method")).isEqualTo("POST");
        assertThat(text(span, "server.address")).isEqualTo("partner.example");
        assertThat(number(span, "server.port")).isEqualTo(8443);
        assertThat(number(span, "http.response.status_code")).isEqualTo(201);
        assertThat(number(span, "http.request.resend_count")).isNull();
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    }

    @Test
    void recordsAUrlWithoutItsQuery() {
        tracing.startMessage(new TracedDelivery(SENT), null)
                .startAttempt(REQUEST, 1)
                .ended(response(200));

        assertThat(text(onlySpan(), "url.full")).isEqualTo("https://partner.example:8443/buy");
    }

    @Test
    void recordsAUrlWithItsQueryIfEnabled() {
        use(tracing("record-url-query: true"));

        tracing.startMessage(new TracedDelivery(SENT), null)
                .startAttempt(REQUEST, 1)
                .ended(response(200));

        assertThat(text(onlySpan(), "url.full")).isEqualTo("https://partner.example:8443/buy?token=s3cr3t");
    }

    @Test
    void theRequestCarriesOnlyTheAttemptsContext() {
        AttemptTrace attempt =
                tracing.startMessage(new TracedDelivery(SENT), null).startAttempt(REQUEST, 1);

        HttpRequest sent = attempt.injectContext(REQUEST);
        attempt.ended(response(200));

        assertThat(sent.headers())
                .containsExactly(
                        new Header("X-A", "a"),
                        new Header(
                                "traceparent", "00-" + TRACE + "-" + onlySpan().getSpanId() + "-01"),
                        new Header("tracestate", "vendor=1"));
        assertThat(sent.url()).isSameAs(REQUEST.url());
    }

    @Test
    void anErrorStatusMarksTheSpanAsFailed() {
        tracing.startMessage(new TracedDelivery(SENT), null)
                .startAttempt(REQUEST, 3)
                .ended(response(503));

        assertThat(onlySpan().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(text(onlySpan(), "error.type")).isEqualTo("503");
        assertThat(number(onlySpan(), "http.request.resend_count")).isEqualTo(2);
    }

    @Test
    void aFailedAttemptHasItsErrorCode() {
        tracing.startMessage(new TracedDelivery(SENT), null)
                .startAttempt(REQUEST, 1)
                .ended(new HttpResult.Failure(
                        ErrorCode.CONNECT_TIMEOUT, "late", Certainty.NOT_SENT, AttemptTiming.NONE));

        assertThat(onlySpan().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(text(onlySpan(), "error.type")).isEqualTo("connect-timeout");
    }

    @Test
    void aCancelledAttemptHasTheErrorCancelled() {
        tracing.startMessage(new TracedDelivery(SENT), null)
                .startAttempt(REQUEST, 1)
                .ended(null);

        assertThat(text(onlySpan(), "error.type")).isEqualTo("cancelled");
    }

    @Test
    void anUnknownMethodIsNotASpanName() {
        HttpRequest purge = new HttpRequest("PURGE", URL, List.of(), null);

        tracing.startMessage(new TracedDelivery(SENT), null)
                .startAttempt(purge, 1)
                .ended(response(200));

        assertThat(onlySpan().getName()).isEqualTo("HTTP");
        assertThat(text(onlySpan(), "http.request.method")).isEqualTo("_OTHER");
        assertThat(text(onlySpan(), "http.request.method_original")).isEqualTo("PURGE");
    }

    @Test
    void anAnswerIsAProducerSpanAndCarriesItsContext() {
        PublishTrace answer =
                tracing.startMessage(new TracedDelivery(SENT), null).startPublish(PublishType.ANSWER, null);
        answer.ended(PublishResult.CONFIRMED);

        SpanData span = onlySpan();
        assertThat(span.getName()).isEqualTo("send iocluster.answers");
        assertThat(span.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(answer.context().traceparent()).isEqualTo("00-" + TRACE + "-" + span.getSpanId() + "-01");
        assertThat(answer.context().tracestate()).isEqualTo("vendor=1");
    }

    @Test
    void anUnconfirmedAnswerIsAnError() {
        tracing.startMessage(new TracedDelivery(SENT), null)
                .startPublish(PublishType.DEAD_LETTER, null)
                .ended(new PublishResult.Failed("broker unreachable"));

        assertThat(onlySpan().getName()).isEqualTo("send iocluster.dead-letters");
        assertThat(onlySpan().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(onlySpan().getStatus().getDescription()).isEqualTo("broker unreachable");
    }

    @Test
    void anUnsampledTraceIsNotRecordedButPassedOn() {
        TracedDelivery unsampled = new TracedDelivery(Map.of("traceparent", "00-" + TRACE + "-" + SPAN + "-00"));
        MessageTrace message = tracing.startMessage(unsampled, null);
        AttemptTrace attempt = message.startAttempt(REQUEST, 1);

        String sent = attempt.injectContext(REQUEST).headers().get(1).value();
        attempt.ended(response(200));
        message.settled(SettlementType.ACKNOWLEDGED);

        assertThat(sent).startsWith("00-" + TRACE + "-").endsWith("-00");
        tracing.close();
        assertThat(exported.getFinishedSpanItems()).isEmpty();
    }

    @Test
    void samplesNewTracesAtTheConfiguredRatio() {
        use(tracing("sample-ratio: 0"));

        tracing.startMessage(new TracedDelivery(Map.of()), null).settled(SettlementType.ACKNOWLEDGED);
        tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);

        assertThat(onlySpan().getTraceId()).isEqualTo(TRACE);
    }

    private static HttpResult response(int status) {
        return new HttpResult.Response(status, List.of(), new byte[0], false, AttemptTiming.NONE);
    }

    private static String text(SpanData span, String key) {
        return span.getAttributes().get(stringKey(key));
    }

    private static Long number(SpanData span, String key) {
        return span.getAttributes().get(longKey(key));
    }
}
