package io.iocluster.node.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.thread.Platform;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** The tracing of a node with an in-memory collector, and messages for it. */
abstract class TracingFixture {

    static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    static final String SPAN = "b7ad6b7169203331";
    static final Map<String, String> SENT =
            Map.of("traceparent", "00-" + TRACE + "-" + SPAN + "-01", "tracestate", "vendor=1");

    final InMemorySpanExporter exported = InMemorySpanExporter.create();
    OpenTelemetryTracing tracing = tracing("");

    @AfterEach
    void close() {
        tracing.close();
    }

    void use(OpenTelemetryTracing another) {
        tracing.close();
        exported.reset();
        tracing = another;
    }

    OpenTelemetryTracing tracing(String more) {
        return tracing(more, new PersistentExporter(exported));
    }

    static OpenTelemetryTracing tracing(String more, SpanExporter exporter) {
        String yaml = "node: {id: node-1}\ntracing:\n  enabled: true\n  export-interval: 10ms\n  " + more;
        NodeSettings settings = new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(yaml, Path.of("."))
                .settings();
        return new OpenTelemetryTracing(settings, exporter, Platform.system());
    }

    /** Waits for the first exported span and returns it. Fails if there is more than one. */
    SpanData onlySpan() {
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
    static final class TracedDelivery extends FakeDelivery {

        TracedDelivery(Map<String, String> headers) {
            super("", -1, headers);
        }

        @Override
        public String queue() {
            return "requests";
        }
    }
}
