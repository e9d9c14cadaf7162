package io.iocluster.node.metrics;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.consul.ConsulStatus;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.pipeline.PipelineEvents;
import io.iocluster.pipeline.PipelineStatus;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** One node's meters. Owns the registry; safe for use by several threads. */
public final class NodeMetrics implements AutoCloseable {

    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
    private final DestinationMeters destinations;
    private final PipelineMetrics pipeline;
    private final StatusGauges gauges;
    private final DestinationGauges destinationGauges;
    /** Held, for the registry does not. */
    @SuppressWarnings("UnusedVariable")
    private final ConfigurationMeters configuration;

    @SuppressWarnings("UnusedVariable")
    private volatile ConsulMeters consul;

    /**
     * @param transport the transport's word
     * @param mostDestinations how many are told apart besides the configured ones
     * @param status says at each scrape how the configuration stands to its file
     */
    public NodeMetrics(String transport, int mostDestinations, Supplier<ConfigurationStatus> status) {
        destinations = new DestinationMeters(registry, mostDestinations, System::nanoTime);
        pipeline = new PipelineMetrics(registry, transport, destinations);
        gauges = new StatusGauges(registry);
        destinationGauges = new DestinationGauges(registry, destinations);
        configuration = new ConfigurationMeters(registry, status);
        new ClassLoaderMetrics().bindTo(registry);
        new JvmInfoMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        garbageCollection.bindTo(registry);
    }

    /** Shows from now on how the node stands with its agent in Consul. To be called once. */
    public void show(Supplier<ConsulStatus> status) {
        consul = new ConsulMeters(registry, status);
    }

    /** What the pipeline tells its events. */
    public PipelineEvents events() {
        return pipeline;
    }

    /**
     * Everything, for one scrape.
     *
     * @param status the pipeline as it stands, for the gauges
     * @param each its destinations, likewise
     * @param accept the scraper's {@code Accept} header, or null
     */
    public synchronized Exposition scrape(PipelineStatus status, List<DestinationStatus> each, String accept) {
        gauges.show(status);
        destinations.review();
        destinationGauges.show(each);
        String contentType = accept != null && accept.contains("application/openmetrics-text") ? OPEN_METRICS : TEXT;
        return new Exposition(contentType, registry.scrape(contentType).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        garbageCollection.close();
        registry.close();
    }

    /** A scrape's answer. */
    public record Exposition(String contentType, byte[] text) {}
}
