package io.iocluster.node.tracing;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** Registers the meters of the span export. They read the counts at each scrape. */
public final class SpanMeters implements MeterBinder {

    private final SpanCounts spans;

    public SpanMeters(SpanCounts spans) {
        this.spans = spans;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        register(registry, "exported", SpanCounts::exported);
        register(registry, "failed", SpanCounts::failed);
        register(registry, "dropped", SpanCounts::dropped);
    }

    private void register(MeterRegistry registry, String result, ToDoubleFunction<SpanCounts> count) {
        FunctionCounter.builder("iocluster.spans", spans, count)
                .description("Recorded spans, by the result of their export")
                .tag("result", result)
                .register(registry);
    }
}
