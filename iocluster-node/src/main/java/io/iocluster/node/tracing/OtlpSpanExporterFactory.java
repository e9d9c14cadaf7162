package io.iocluster.node.tracing;

import io.iocluster.node.config.TracingSettings;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Creates exporters that send spans as protobuf with OTLP over HTTP. */
final class OtlpSpanExporterFactory {

    /**
     * A strong reference, because the JDK discards unreferenced loggers with their level.
     * {@link InstrumentedSpanExporter} logs failures instead.
     */
    private static final Logger LIBRARY_LOGGER = Logger.getLogger("io.opentelemetry");

    private OtlpSpanExporterFactory() {}

    static SpanExporter create(TracingSettings settings) {
        LIBRARY_LOGGER.setLevel(Level.OFF);
        OtlpHttpSpanExporterBuilder exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(settings.url())
                .setTimeout(settings.timeout())
                .setConnectTimeout(settings.timeout())
                .setCompression("gzip")
                .setMeterProvider(MeterProvider.noop());
        settings.headers().forEach(exporter::addHeader);
        return exporter.build();
    }
}
