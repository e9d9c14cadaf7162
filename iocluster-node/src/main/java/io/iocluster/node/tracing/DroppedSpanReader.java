package io.iocluster.node.tracing;

import static io.opentelemetry.api.common.AttributeKey.stringKey;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;

/** Reads the number of spans that the tracer dropped because its queue was full. Thread-safe. */
final class DroppedSpanReader implements MetricReader {

    /**
     * From the semantic conventions for SDKs: spans that the processor has finished, with the error type of failures.
     */
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
