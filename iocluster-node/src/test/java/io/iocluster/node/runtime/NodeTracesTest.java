package io.iocluster.node.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.node.ColdNode;
import io.iocluster.node.FakeOtlpCollector;
import io.iocluster.node.MemoryPipelines;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.memory.MemoryMessage;
import io.iocluster.testkit.target.TargetServer;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Tests the trace of a call over real sockets, from its sender to the collector. */
class NodeTracesTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SENDER = "b7ad6b7169203331";

    private final FakeOtlpCollector collector = new FakeOtlpCollector();
    private final MemoryBroker broker = new MemoryBroker();
    private final TargetServer target = TargetServer.start();

    @AfterEach
    void close() {
        target.close();
        collector.close();
    }

    @Test
    void continuesATraceFromTheSenderThroughTheCallToTheAnswer() throws Exception {
        String traceparent;
        MemoryMessage answer;
        try (Node node = start(true)) {
            answer = call();
            traceparent = traceparentSeenBy(answer);
            assertThat(openMetrics(node))
                    .containsPattern("iocluster_call_duration_seconds_bucket.* # .*trace_id=\"" + TRACE);
        }

        // The shutdown of the node has exported all spans.
        assertThat(collector.spans()).hasSize(3);
        Span message = span(SpanKind.SPAN_KIND_CONSUMER);
        Span attempt = span(SpanKind.SPAN_KIND_CLIENT);
        Span published = span(SpanKind.SPAN_KIND_PRODUCER);
        assertThat(id(message.getParentSpanId())).isEqualTo(SENDER);
        assertThat(attempt.getParentSpanId()).isEqualTo(message.getSpanId());
        assertThat(published.getParentSpanId()).isEqualTo(message.getSpanId());
        assertThat(traceparent).isEqualTo("00-" + TRACE + "-" + id(attempt.getSpanId()) + "-01");
        assertThat(answer.headers())
                .containsEntry("traceparent", "00-" + TRACE + "-" + id(published.getSpanId()) + "-01")
                .containsEntry("tracestate", "vendor=1");
        assertThat(collector.authorizations()).containsOnly("Bearer s3cr3t");
    }

    @Test
    void countsItsSpans() throws Exception {
        try (Node node = start(true)) {
            call();

            await().until(() -> openMetrics(node).contains("iocluster_spans_total{result=\"exported\"} 3.0"));
        }
    }

    @Test
    void worksWithoutACollector() throws Exception {
        collector.answer(401);
        try (CapturedLog log = CapturedLog.of("io.iocluster.node.tracing.InstrumentedSpanExporter");
                Node node = start(true)) {
            call();

            await().until(() -> openMetrics(node).contains("iocluster_spans_total{result=\"failed\"} 3.0"));
            assertThat(log.messages())
                    .containsExactly("Span export failed url=" + collector.tracesUrl() + " status=401; retrying");
        }
    }

    @Test
    void passesATraceUnchangedIfTracingIsDisabled() throws Exception {
        String sent = "00-" + TRACE + "-" + SENDER + "-01";
        try (Node node = start(false)) {
            MemoryMessage answer = call();

            assertThat(traceparentSeenBy(answer)).isEqualTo(sent);
            assertThat(answer.headers()).containsEntry("traceparent", sent).containsEntry("tracestate", "vendor=1");
            assertThat(openMetrics(node))
                    .containsPattern("iocluster_call_duration_seconds_bucket.* # .*trace_id=\"" + TRACE)
                    .containsPattern("iocluster_end_to_end_seconds_bucket.* # .*span_id=\"" + SENDER)
                    .doesNotContain("iocluster_spans");
            assertThat(node.effectiveConfig().toString())
                    .contains("\"tracing\"")
                    .doesNotContain("s3cr3t");
        }
        assertThat(collector.authorizations()).isEmpty();
    }

    private Node start(boolean traced) throws IOException {
        String yaml = """
                node: {id: node-1}
                admin: {port: 0}
                workers: {threads: 1}
                egress: {ports: [], allow-networks: [127.0.0.0/8]}
                tracing:
                  enabled: %s
                  url: %s
                  export-interval: 100ms
                  headers: {Authorization: Bearer s3cr3t}
                """.formatted(traced, collector.tracesUrl());
        var settings = new SettingsLoader<>(NodeSettings.class, ColdNode.ENVIRONMENT).load(yaml, Path.of("."));
        return Node.start(settings, MemoryPipelines.alone(broker));
    }

    private MemoryMessage call() {
        byte[] envelope = ("{\"url\":\"" + target.url("/echo") + "\"}").getBytes(StandardCharsets.UTF_8);
        broker.send(
                envelope, null, Map.of("traceparent", "00-" + TRACE + "-" + SENDER + "-01", "tracestate", "vendor=1"));
        await().until(() -> broker.acknowledgedCount() == 1);
        return broker.answers().get(0);
    }

    private static String traceparentSeenBy(MemoryMessage message) {
        Answer answer = new AnswerDecoder().decode(message.payload());
        return JsonMapper.shared()
                .readTree(answer.body())
                .at("/headers/traceparent")
                .asString();
    }

    private static String openMetrics(Node node) throws IOException, InterruptedException {
        HttpRequest scrape = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + node.adminAddress().getPort() + "/metrics"))
                .header("Accept", "application/openmetrics-text;version=1.0.0")
                .build();
        return HttpClient.newHttpClient().send(scrape, BodyHandlers.ofString()).body();
    }

    private Span span(SpanKind kind) {
        return collector.spans().stream()
                .filter(each -> each.getKind() == kind)
                .findFirst()
                .orElseThrow();
    }

    private static String id(com.google.protobuf.ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }
}
