package io.iocluster.node.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.config.BuildInfo;
import io.iocluster.node.config.MetricsSettings;
import io.iocluster.node.window.CodeTotals;
import io.iocluster.node.window.RecentFailures;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.event.CallTap;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.thread.NodeClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/**
 * Holds all meters of one node. Prometheus scrapes them; if configured, they are also exported to an OpenTelemetry collector.
 * Owns the registries. Thread-safe.
 */
public final class NodeMetrics implements AutoCloseable {

    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    static final PrometheusConfig CONFIG = new PrometheusConfig() {
        @Override
        public String get(String key) {
            return null;
        }

        /** Avoids the default, which reads a property again for each series of each scrape. */
        @Override
        public boolean descriptions() {
            return true;
        }

        /**
         * Sets the interval to one second. The default is 90 ms, and each series in use runs a timer task per interval, even if no call
         * has a trace. With 100 destinations, the thread of these tasks took 1.6 % of the CPU time of a node.
         */
        @Override
        public Properties prometheusProperties() {
            Properties properties = PrometheusConfig.super.prometheusProperties();
            properties.setProperty("io.prometheus.exemplars.sample_interval_milliseconds", "1000");
            return properties;
        }
    };

    private final ExemplarSpanContext trace = new ExemplarSpanContext();
    private final PrometheusMeterRegistry prometheus;
    private final NodeClock clock;
    private final Optional<OtlpMetricsExporter> otlp;
    /** The Prometheus registry itself without OTLP export, to avoid the cost of a composite registry. */
    private final MeterRegistry registry;

    private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
    private final DestinationMeterRegistry destinations;
    private final RecentFailures recentFailures;
    private final PipelineMetrics pipeline;
    private final PipelineGauges gauges;
    private final DestinationGauges destinationGauges;
    /** Keeps the features' meters reachable, because the registry holds the state of gauges weakly. */
    private final List<MeterBinder> features = new CopyOnWriteArrayList<>();

    private final List<Runnable> refreshes = new CopyOnWriteArrayList<>();
    private volatile GaugeRefresher gaugeRefresher;

    @GuardedBy("this")
    private int lastTextBytes;

    /**
     * Creates the meters of a node, except those of its features.
     *
     * @param node the node's id
     * @param transport the transport's name in labels
     * @param maxFailures maximum number of recent failures that are kept
     * @param tap receives ended calls from {@link #events}
     */
    public NodeMetrics(
            String node, String transport, MetricsSettings settings, int maxFailures, CallTap tap, NodeClock clock) {
        this.clock = clock;
        MeterClock meterClock = new MeterClock(clock);
        prometheus = new PrometheusMeterRegistry(CONFIG, new PrometheusRegistry(), meterClock, trace);
        otlp = settings.otlp().enabled()
                ? Optional.of(new OtlpMetricsExporter(settings.otlp(), node, clock))
                : Optional.empty();
        registry = otlp.<MeterRegistry>map(
                        push -> new CompositeMeterRegistry(meterClock, List.of(prometheus, push.registry())))
                .orElse(prometheus);
        registry.config().meterFilter(CpuMeters.DENY_MISNAMED);
        otlp.ifPresent(push -> push.bindTo(registry));
        destinations = new DestinationMeterRegistry(registry, settings.maxDestinations(), clock::nanos);
        recentFailures = new RecentFailures(maxFailures, () -> Instant.ofEpochMilli(clock.wallMillis()));
        pipeline = new PipelineMetrics(registry, transport, destinations, recentFailures, trace, tap);
        gauges = new PipelineGauges(registry);
        destinationGauges = new DestinationGauges(registry, destinations);
        BuildInfo.bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new JvmInfoMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        CpuMeters.bindTo(registry, prometheus.getPrometheusRegistry());
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        garbageCollection.bindTo(registry);
    }

    /** Registers the meters of a feature and keeps them until the node stops. */
    public void bind(MeterBinder feature) {
        features.add(feature);
        feature.bindTo(registry);
    }

    /** Registers the meters of a feature, and runs {@code refresh} before each scrape and OTLP export. */
    public void bind(MeterBinder feature, Runnable refresh) {
        bind(feature);
        refreshes.add(refresh);
    }

    /**
     * Updates the gauges before each OTLP export, if that is configured. Call it at most once.
     *
     * @param status returns the current status of the pipeline; called every few seconds
     * @param destinationStatus returns the current status of the destinations; called every few seconds
     * @param background runs the updates, until these meters are closed
     */
    public void startRefresh(
            Supplier<PipelineStatus> status,
            Supplier<List<DestinationStatus>> destinationStatus,
            ScheduledExecutorService background) {
        otlp.ifPresent(push -> gaugeRefresher =
                new GaugeRefresher(push.step(), () -> show(status.get(), destinationStatus.get()), clock, background));
    }

    /** Returns the listener that counts the events of the pipeline. */
    public PipelineEvents events() {
        return pipeline;
    }

    /** Returns the number of messages acknowledged since the start. */
    public long acknowledgedCount() {
        return pipeline.acknowledgedCount();
    }

    /** Returns the number of calls that the node has not made since the start, because they waited for too long. */
    public long notMadeCount() {
        return pipeline.notMadeCount();
    }

    /**
     * Updates the gauges and returns all meters as text.
     *
     * @param status the current status of the pipeline
     * @param destinationStatus the current status of the destinations
     * @param accept the {@code Accept} header of the request, or null
     */
    public synchronized Exposition scrape(
            PipelineStatus status, List<DestinationStatus> destinationStatus, String accept) {
        show(status, destinationStatus);
        String contentType = accept != null && accept.contains("application/openmetrics-text") ? OPEN_METRICS : TEXT;
        // As large as the last scrape, because a buffer of some megabytes is expensive to copy while it grows.
        ByteArrayOutputStream text = new ByteArrayOutputStream(lastTextBytes + lastTextBytes / 8);
        try {
            prometheus.scrape(text, contentType);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        lastTextBytes = text.size();
        return new Exposition(contentType, text.toByteArray());
    }

    private synchronized void show(PipelineStatus status, List<DestinationStatus> destinationStatus) {
        gauges.update(status);
        destinations.reassignLabels();
        destinationGauges.update(destinationStatus);
        refreshes.forEach(Runnable::run);
    }

    /** Returns the latest failed calls. */
    public RecentFailures recentFailures() {
        return recentFailures;
    }

    /** Returns the results of the attempts of each destination, by its label in the metrics. */
    public List<DestinationAttempts> attempts() {
        return destinations.all().stream()
                .map(each -> new DestinationAttempts(
                        each.destination(),
                        each.attemptResults().statuses(),
                        each.failures().counts(),
                        each.attemptResults().unusable(),
                        each.hedges().counts(),
                        (long) each.redelivered().count(),
                        each.attemptResults().durations()))
                .toList();
    }

    /** Returns the totals since the start. */
    public NodeStats stats() {
        return pipeline.stats(CpuMeters.processCpuTime(), CpuMeters.availableCpus());
    }

    /** Returns the totals since the start by code. */
    public CodeTotals codeTotals() {
        return pipeline.codeTotals();
    }

    @Override
    public void close() {
        GaugeRefresher refresher = gaugeRefresher;
        if (refresher != null) {
            refresher.close();
        }
        otlp.ifPresent(OtlpMetricsExporter::close);
        garbageCollection.close();
        registry.close();
        prometheus.close();
    }

    /** The response to a scrape. */
    public record Exposition(String contentType, byte[] text) {}
}
