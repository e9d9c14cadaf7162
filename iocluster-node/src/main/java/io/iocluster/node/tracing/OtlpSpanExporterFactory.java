package io.iocluster.node.tracing;

import io.iocluster.node.config.TracingSettings;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Sends spans by OTLP over HTTP, in protobuf. */
final class OtlpSpanExporterFactory {

    /** Held, for the JDK forgets the level of a logger that nobody has. What goes wrong is said by {@link InstrumentedSpanExporter}. */
    private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

    private OtlpSpanExporterFactory() {}

    static SpanExporter create(TracingSettings settings) {
        LIBRARY.setLevel(Level.OFF);
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
