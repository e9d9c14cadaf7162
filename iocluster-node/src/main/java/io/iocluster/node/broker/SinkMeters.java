package io.iocluster.node.broker;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.IntSupplier;

/** Registers the meters of the transport's sink. They read its state at each scrape. */
public final class SinkMeters implements MeterBinder {

    private final IntSupplier isolatedQueues;

    public SinkMeters(IntSupplier isolatedQueues) {
        this.isolatedQueues = isolatedQueues;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("iocluster.isolated.queues", this, meters -> meters.isolatedQueues.getAsInt())
                .description("Queues that are published to on another connection because they block the others")
                .register(registry);
    }
}
