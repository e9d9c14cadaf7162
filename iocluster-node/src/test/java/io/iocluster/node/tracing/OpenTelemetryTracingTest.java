package io.iocluster.node.tracing;

import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

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
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.thread.Platform;
import io.iocluster.trace.AttemptTrace;
import io.iocluster.trace.MessageTrace;
import io.iocluster.trace.MessageTrace.PublishType;
import io.iocluster.trace.MessageTrace.SettlementType;
import io.iocluster.trace.PublishTrace;
import io.iocluster.transport.PublishResult;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the attributes and parents of spans, the trace context that is passed on, and the export to a collector. */
class OpenTelemetryTracingTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final Map<String, String> SENT =
            Map.of("traceparent", "00-" + TRACE + "-" + SPAN + "-01", "tracestate", "vendor=1");

    private final InMemorySpanExporter exported = InMemorySpanExporter.create();
    private OpenTelemetryTracing tracing = tracing("");

    @AfterEach
    void close() {
        tracing.close();
    }

    private void use(OpenTelemetryTracing another) {
        tracing.close();
        exported.reset();
        tracing = another;
    }

    private OpenTelemetryTracing tracing(String more) {
        return tracing(more, new PersistentExporter(exported));
    }

    private static OpenTelemetryTracing tracing(String more, SpanExporter exporter) {
        String yaml = "node: {id: node-1}\ntracing:\n  enabled: true\n  export-interval: 10ms\n  " + more;
        NodeSettings settings = SettingsLoading.node(yaml);
        return new OpenTelemetryTracing(settings, exporter, Platform.system());
    }

    /** Waits for the first exported span and returns it. Fails if there is more than one. */
    private SpanData onlySpan() {
        await().until(() -> !exported.getFinishedSpanItems().isEmpty());
        assertThat(exported.getFinishedSpanItems()).hasSize(1);
        return exported.getFinishedSpanItems().get(0);
    }

    /** Keeps the exported spans after it is closed. */
    private record PersistentExporter(SpanExporter exporter) implements SpanExporter {

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            return exporter.export(spans);
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    /** A message with headers. */
    private static final class TracedDelivery extends FakeDelivery {

        TracedDelivery(Map<String, String> headers) {
            super("", -1, headers);
        }

        @Override
        public String queue() {
            return "requests";
        }
    }

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

    @ParameterizedTest
    @CsvSource({"false, /buy", "true, /buy?token=s3cr3t"})
    void recordsAUrlWithItsQueryOnlyIfEnabled(boolean enabled, String path) {
        use(tracing("record-url-query: " + enabled));

        tracing.startMessage(new TracedDelivery(SENT), null)
                .startAttempt(REQUEST, 1)
                .ended(response(200));

        assertThat(text(onlySpan(), "url.full")).isEqualTo("https://partner.example:8443" + path);
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

    static Stream<Arguments> errors() {
        return Stream.of(
                arguments(response(503), "503"),
                arguments(
                        new HttpResult.Failure(
                                ErrorCode.CONNECT_TIMEOUT, "late", Certainty.NOT_SENT, AttemptTiming.NONE),
                        "connect-timeout"),
                arguments(null, "cancelled"));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anAttemptWithoutAUsableAnswerHasItsErrorAndMarksTheSpanAsFailed(HttpResult result, String error) {
        tracing.startMessage(new TracedDelivery(SENT), null)
                .startAttempt(REQUEST, 3)
                .ended(result);

        assertThat(onlySpan().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(text(onlySpan(), "error.type")).isEqualTo(error);
        assertThat(number(onlySpan(), "http.request.resend_count")).isEqualTo(2);
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

    @Test
    void countsExportedSpans() {
        use(tracing("flush-timeout: 1m"));

        tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        tracing.close();

        assertThat(tracing.exported()).isEqualTo(2);
        assertThat(tracing.failed()).isZero();
        assertThat(tracing.dropped()).isZero();
    }

    @Test
    void countsSpansThatTheCollectorRejects() {
        use(tracing("flush-timeout: 1m", new FixedResultExporter(CompletableResultCode.ofFailure())));

        tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        tracing.close();

        assertThat(tracing.exported()).isZero();
        assertThat(tracing.failed()).isEqualTo(1);
        assertThat(tracing.dropped()).isZero();
    }

    @Test
    void dropsAndCountsSpansWhenTheQueueIsFull() {
        CompletableResultCode never = new CompletableResultCode();
        use(tracing("max-queue-size: 4\n  max-batch-size: 1\n  flush-timeout: 0s", new FixedResultExporter(never)));

        for (int i = 0; i < 100; i++) {
            tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        }

        await().until(() -> tracing.dropped() >= 90);
    }

    @Test
    void closeDoesNotWaitLongerThanTheFlushTimeout() {
        // Without the flush timeout, the close would wait for two minutes until the export times out.
        use(tracing("timeout: 2m\n  flush-timeout: 50ms", new FixedResultExporter(new CompletableResultCode())));
        tracing.startMessage(new TracedDelivery(SENT), null).settled(SettlementType.ACKNOWLEDGED);
        long start = System.nanoTime();

        tracing.close();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
    }

    /** An exporter that always returns the same result. */
    private record FixedResultExporter(CompletableResultCode answer) implements SpanExporter {

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            return answer;
        }

        @Override
        public CompletableResultCode flush() {
            return answer;
        }

        @Override
        public CompletableResultCode shutdown() {
            return answer;
        }
    }
}
