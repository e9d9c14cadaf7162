package io.iocluster.node.tracing;

import static io.opentelemetry.api.common.AttributeKey.stringKey;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;

/** Reads from the tracer's own metrics how many spans found no room in its queue. From any thread. */
final class DroppedSpanReader implements MetricReader {

    /** Of the semantic conventions for SDKs: what a processor is done with, and why if not well. */
    private static final String PROCESSED = "otel.sdk.processor.span.processed";

    private static final AttributeKey<String> ERROR_TYPE = stringKey("error.type");
    private static final String QUEUE_FULL = "queue_full";

    private volatile CollectionRegistration metrics = CollectionRegistration.noop();

    long count() {
        long dropped = 0;
        for (MetricData metric : metrics.collectAllMetrics()) {
            if (metric.getName().equals(PROCESSED)) {
                dropped += metric.getLongSumData().getPoints().stream()
                        .filter(point -> QUEUE_FULL.equals(point.getAttributes().get(ERROR_TYPE)))
                        .mapToLong(point -> point.getValue())
                        .sum();
            }
        }
        return dropped;
    }

    @Override
    public void register(CollectionRegistration registration) {
        metrics = registration;
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType instrumentType) {
        return AggregationTemporality.CUMULATIVE;
    }

    @Override
    public CompletableResultCode forceFlush() {
        return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
        return CompletableResultCode.ofSuccess();
    }
}
