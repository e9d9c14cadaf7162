package io.iocluster.node.consul;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Registers the meters of the Consul integration: one for the key and one for the registration, if they are configured, and one for all
 * services that are upstreams. They read its status at each scrape.
 */
public final class ConsulMeters implements MeterBinder {

    private final Supplier<ConsulStatus> status;

    public ConsulMeters(Supplier<ConsulStatus> status) {
        this.status = status;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        ConsulStatus first = status.get();
        if (first.key() != null) {
            gauge(
                    registry,
                    "connected",
                    "1 while the node can read its key in Consul",
                    now -> now.key().connected());
        }
        if (first.service() != null) {
            gauge(
                    registry,
                    "registered",
                    "1 while the node is registered in Consul",
                    now -> now.service().registered());
        }
        gauge(
                registry,
                "upstreams.connected",
                "1 while the node can read all services in Consul that are upstreams",
                ConsulStatus::upstreamsConnected);
    }

    private void gauge(MeterRegistry registry, String name, String description, Predicate<ConsulStatus> condition) {
        Gauge.builder("iocluster.consul." + name, this, meters -> condition.test(meters.status.get()) ? 1 : 0)
                .description(description)
                .register(registry);
    }
}
