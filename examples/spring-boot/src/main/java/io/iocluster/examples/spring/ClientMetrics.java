package io.iocluster.examples.spring;

import io.iocluster.client.ClientEvents;
import io.iocluster.client.IoClusterException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** Publishes events of the client as metrics of the service. Thread-safe. */
final class ClientMetrics implements ClientEvents {

    private final MeterRegistry registry;
    private final Timer calls;

    ClientMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.calls = Timer.builder("iocluster.client.calls")
                .publishPercentileHistogram()
                .register(registry);
    }

    @Override
    public void answered(Duration took) {
        calls.record(took);
    }

    @Override
    public void failed(IoClusterException failure) {
        registry.counter(
                        "iocluster.client.failures",
                        "reason",
                        failure.getClass().getSimpleName())
                .increment();
    }
}
