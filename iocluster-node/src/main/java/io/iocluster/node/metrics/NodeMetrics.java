package io.iocluster.node.metrics;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.config.MetricsSettings;
import io.iocluster.node.consul.ConsulStatus;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.node.tracing.SpanCounts;
import io.iocluster.node.tuning.TuningStatus;
import io.iocluster.pipeline.PipelineEvents;
import io.iocluster.pipeline.PipelineStatus;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * One node's meters, for Prometheus to ask for and, if that is wanted, sent to a collector of OpenTelemetry. Owns the registries;
 * safe for use by several threads.
 */
public final class NodeMetrics implements AutoCloseable {

    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final ExemplarSpanContext trace = new ExemplarSpanContext();
    private final PrometheusMeterRegistry prometheus =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), Clock.SYSTEM, trace);
    private final Optional<OtlpMetricsExporter> otlp;
    /** Prometheus's own where there is no other, so that a second one costs nothing unless it is there. */
    private final MeterRegistry registry;

    private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
    private final DestinationMeterRegistry destinations;
    private final RecentFailures recentFailures;
    private final PipelineMetrics pipeline;
    private final PipelineGauges gauges;
    private final DestinationGauges destinationGauges;
    /** Held, for the registry does not. */
    @SuppressWarnings("UnusedVariable")
    private final ConfigurationMeters configuration;
    /** Likewise. */
    @SuppressWarnings("UnusedVariable")
    private final TuningMeters tuning;

    @SuppressWarnings("UnusedVariable")
    private volatile ConsulMeters consul;

    private volatile GaugeRefresher refresh;

    /**
     * A node's meters.
     *
     * @param node its id
     * @param transport the transport's word
     * @param mostFailures how many of the latest are remembered
     * @param status says at each scrape how the configuration stands to its file
     * @param advice says at each scrape what the advisor says
     */
    public NodeMetrics(
            String node,
            String transport,
            MetricsSettings settings,
            int mostFailures,
            Supplier<ConfigurationStatus> status,
            Supplier<TuningStatus> advice) {
        otlp = settings.otlp().enabled()
                ? Optional.of(new OtlpMetricsExporter(settings.otlp(), node))
                : Optional.empty();
        registry = otlp.<MeterRegistry>map(
                        push -> new CompositeMeterRegistry(Clock.SYSTEM, List.of(prometheus, push.registry())))
                .orElse(prometheus);
        registry.config().meterFilter(CpuMeters.DENY_MISNAMED);
        otlp.ifPresent(push -> push.bindTo(registry));
        destinations = new DestinationMeterRegistry(registry, settings.maxDestinations(), System::nanoTime);
        recentFailures = new RecentFailures(mostFailures, InstantSource.system());
        pipeline = new PipelineMetrics(registry, transport, destinations, recentFailures, trace);
        gauges = new PipelineGauges(registry);
        destinationGauges = new DestinationGauges(registry, destinations);
        configuration = new ConfigurationMeters(registry, status);
        tuning = new TuningMeters(registry, advice);
        new ClassLoaderMetrics().bindTo(registry);
        new JvmInfoMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        CpuMeters.bindTo(registry, prometheus.getPrometheusRegistry());
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        garbageCollection.bindTo(registry);
    }

    /** Shows from now on how the node stands with its agent in Consul. To be called once. */
    public void show(Supplier<ConsulStatus> status) {
        consul = new ConsulMeters(registry, status);
    }

    /** Counts from now on what becomes of spans. To be called once at most. */
    public void show(SpanCounts spans) {
        spans("exported", spans, SpanCounts::exported);
        spans("failed", spans, SpanCounts::failed);
        spans("dropped", spans, SpanCounts::dropped);
    }

    private void spans(String result, SpanCounts spans, ToDoubleFunction<SpanCounts> count) {
        FunctionCounter.builder("iocluster.spans", spans, count)
                .description("Spans of traces, by what became of them")
                .tag("result", result)
                .register(registry);
    }

    /**
     * Keeps the gauges new for whoever does not scrape, if there is anybody. To be called once at most.
     *
     * @param status the pipeline as it stands; asked every few seconds
     * @param each its destinations, likewise
     */
    public void startRefresh(Supplier<PipelineStatus> status, Supplier<List<DestinationStatus>> each) {
        otlp.ifPresent(push -> refresh = new GaugeRefresher(push.step(), () -> show(status.get(), each.get())));
    }

    /** What the pipeline tells its events. */
    public PipelineEvents events() {
        return pipeline;
    }

    /** Messages acknowledged since the start. */
    public long acknowledgedCount() {
        return pipeline.acknowledgedCount();
    }

    /**
     * Everything, for one scrape.
     *
     * @param status the pipeline as it stands, for the gauges
     * @param each its destinations, likewise
     * @param accept the scraper's {@code Accept} header, or null
     */
    public synchronized Exposition scrape(PipelineStatus status, List<DestinationStatus> each, String accept) {
        show(status, each);
        String contentType = accept != null && accept.contains("application/openmetrics-text") ? OPEN_METRICS : TEXT;
        return new Exposition(contentType, prometheus.scrape(contentType).getBytes(StandardCharsets.UTF_8));
    }

    private synchronized void show(PipelineStatus status, List<DestinationStatus> each) {
        gauges.update(status);
        destinations.reassignLabels();
        destinationGauges.update(each);
    }

    /** The latest calls that failed. */
    public RecentFailures recentFailures() {
        return recentFailures;
    }

    /** What was counted since the start. */
    public NodeStats stats() {
        return pipeline.stats(CpuMeters.processCpuTime(), CpuMeters.availableCpus());
    }

    @Override
    public void close() {
        GaugeRefresher following = refresh;
        if (following != null) {
            following.close();
        }
        otlp.ifPresent(OtlpMetricsExporter::close);
        garbageCollection.close();
        registry.close();
        prometheus.close();
    }

    /** A scrape's answer. */
    public record Exposition(String contentType, byte[] text) {}
}
