package io.iocluster.node.metrics;

import io.iocluster.node.consul.ConsulStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Shows how a node stands with its agent, of what it has to do there. Asks at each scrape. */
final class ConsulMeters {

    private final Supplier<ConsulStatus> status;

    ConsulMeters(MeterRegistry registry, Supplier<ConsulStatus> status) {
        this.status = status;
        ConsulStatus first = status.get();
        if (first.key() != null) {
            gauge(
                    registry,
                    "connected",
                    "Whether the key in Consul can be read",
                    now -> now.key().connected());
        }
        if (first.service() != null) {
            gauge(
                    registry,
                    "registered",
                    "Whether the node is registered in Consul",
                    now -> now.service().registered());
        }
    }

    private void gauge(MeterRegistry registry, String name, String description, Predicate<ConsulStatus> holds) {
        Gauge.builder("iocluster.consul." + name, this, meters -> holds.test(meters.status.get()) ? 1 : 0)
                .description(description)
                .register(registry);
    }
}
