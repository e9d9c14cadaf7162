package io.iocluster.node.door;

import io.iocluster.door.http.DoorPages.Page;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;

/** The metrics of a door without a pipeline: its own and those of the process. Thread-safe. */
final class QueueDoorMetrics implements AutoCloseable {

    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbageCollection = new JvmGcMetrics();

    QueueDoorMetrics() {
        garbageCollection.bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    PrometheusMeterRegistry registry() {
        return registry;
    }

    Page scrape(String accept) {
        String type = accept != null && accept.contains("application/openmetrics-text") ? OPEN_METRICS : TEXT;
        return new Page(type, registry.scrape(type).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        garbageCollection.close();
        registry.close();
    }
}
