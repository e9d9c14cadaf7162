package io.iocluster.node.tracing;

import static io.opentelemetry.api.common.AttributeKey.stringKey;

import io.iocluster.http.HttpRequest;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.ResourceAttributes;
import io.iocluster.node.config.TracingSettings;
import io.iocluster.thread.NodeClock;
import io.iocluster.trace.AttemptTrace;
import io.iocluster.trace.MessageTrace;
import io.iocluster.trace.MessageTrace.PublishType;
import io.iocluster.trace.PublishTrace;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.Delivery;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.InternalTelemetryVersion;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.concurrent.TimeUnit;

/**
 * Records spans of the pipeline's work and exports them to a collector, in batches, on a separate thread. Its queue is
 * bounded: when it is full, further spans are dropped and counted. Thread-safe.
 */
public final class OpenTelemetryTracing implements Tracing, SpanCounts, AutoCloseable {

    private static final int MAX_VALUE_LENGTH = 2_048;
    private static final AttributeKey<String> SYSTEM = stringKey("messaging.system");
    private static final AttributeKey<String> OPERATION = stringKey("messaging.operation.name");
    private static final AttributeKey<String> OPERATION_TYPE = stringKey("messaging.operation.type");
    private static final AttributeKey<String> DESTINATION = stringKey("messaging.destination.name");
    private static final AttributeKey<String> MESSAGE_ID = stringKey("messaging.message.id");
    private static final AttributeKey<String> CONVERSATION_ID = stringKey("messaging.message.conversation_id");
    private static final AttributeKey<String> SOURCE = stringKey("iocluster.source");

    private final TracingSettings settings;
    private final MessagingDestinations destinations;
    private final DroppedSpanReader dropped = new DroppedSpanReader();
    private final SdkMeterProvider ownMetrics;
    private final InstrumentedSpanExporter exporter;
    private final SdkTracerProvider provider;
    private final Tracer tracer;

    /** Creates the tracing of a node from its settings. */
    public static OpenTelemetryTracing of(NodeSettings settings, NodeClock clock) {
        return new OpenTelemetryTracing(settings, OtlpSpanExporterFactory.create(settings.tracing()), clock);
    }

    /** Creates the tracing of a node with another exporter. */
    OpenTelemetryTracing(NodeSettings node, SpanExporter export, NodeClock clock) {
        settings = node.tracing();
        destinations = MessagingDestinations.of(node);
        ownMetrics = SdkMeterProvider.builder().registerMetricReader(dropped).build();
        exporter = new InstrumentedSpanExporter(export, settings.url(), clock);
        provider = SdkTracerProvider.builder()
                .setResource(Resource.getDefault().merge(Resource.create(attributes(node))))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(settings.sampleRatio())))
                .setSpanLimits(SpanLimits.builder()
                        .setMaxAttributeValueLength(MAX_VALUE_LENGTH)
                        .build())
                .addSpanProcessor(BatchSpanProcessor.builder(exporter)
                        .setMaxQueueSize(settings.maxQueueSize())
                        .setMaxExportBatchSize(settings.maxBatchSize())
                        .setScheduleDelay(settings.exportInterval())
                        .setExporterTimeout(settings.timeout())
                        .setMeterProvider(ownMetrics)
                        .setInternalTelemetryVersion(InternalTelemetryVersion.LATEST)
                        .build())
                .build();
        tracer = provider.get("io.iocluster");
    }

    private static Attributes attributes(NodeSettings node) {
        AttributesBuilder attributes = Attributes.builder();
        ResourceAttributes.of(node.node().id(), node.tracing().resourceAttributes())
                .forEach(attributes::put);
        return attributes.build();
    }

    @Override
    public MessageTrace startMessage(Delivery delivery, RequestEnvelope envelope) {
        Context parent = TraceHeaders.extractParent(delivery, envelope);
        Span span = tracer.spanBuilder("process " + delivery.queue())
                .setParent(parent)
                .setSpanKind(SpanKind.CONSUMER)
                .startSpan();
        if (span.isRecording()) {
            span.setAttribute(SYSTEM, destinations.system());
            span.setAttribute(OPERATION, "process");
            span.setAttribute(OPERATION_TYPE, "process");
            span.setAttribute(DESTINATION, delivery.queue());
            span.setAttribute(SOURCE, delivery.coordinates());
            span.setAttribute(CONVERSATION_ID, delivery.correlationId());
            span.setAttribute(MESSAGE_ID, envelope == null ? null : envelope.id());
        }
        return new MessageSpan(this, span, parent);
    }

    AttemptTrace startAttempt(Context parent, HttpRequest request, int number) {
        return AttemptSpan.start(tracer, parent, request, number, settings.recordUrlQuery());
    }

    PublishTrace startPublish(Context parent, PublishType what, String replyTo) {
        String defaultDestination = what == PublishType.ANSWER ? destinations.answers() : destinations.deadLetters();
        String destination = replyTo == null ? defaultDestination : replyTo;
        Span span = tracer.spanBuilder("send " + destination)
                .setParent(parent)
                .setSpanKind(SpanKind.PRODUCER)
                .startSpan();
        if (span.isRecording()) {
            span.setAttribute(SYSTEM, destinations.system());
            span.setAttribute(OPERATION, "send");
            span.setAttribute(OPERATION_TYPE, "send");
            span.setAttribute(DESTINATION, destination);
        }
        return new PublishSpan(span, parent);
    }

    @Override
    public long exported() {
        return exporter.exported();
    }

    @Override
    public long failed() {
        return exporter.failed();
    }

    @Override
    public long dropped() {
        return dropped.count();
    }

    /** Exports the remaining spans within {@code tracing.flush-timeout}. Spans that end later are lost. */
    @Override
    public void close() {
        provider.shutdown().join(settings.flushTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }
}
