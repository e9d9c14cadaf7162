package io.iocluster.node.door;

import io.iocluster.door.call.Calls;
import io.iocluster.door.config.DoorLimits;
import io.iocluster.door.http.DoorPages.Page;
import io.iocluster.door.local.LocalCalls;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.metrics.NodeMetrics;
import io.iocluster.node.metrics.NodeMetrics.Exposition;
import io.iocluster.node.metrics.PipelineMeters;
import io.iocluster.node.redis.RedisStore;
import io.iocluster.node.runtime.NodeParts;
import io.iocluster.node.tracing.OpenTelemetryTracing;
import io.iocluster.node.tracing.SpanMeters;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.event.CallTap;
import io.iocluster.settings.DataSize;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import io.iocluster.upstream.ConsulUpstreamSettings;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the calls of a door in this process, with the metrics and traces of a node. */
final class LocalBackend implements DoorBackend {

    static final String NAME = "local";

    private static final Logger LOG = LoggerFactory.getLogger(LocalBackend.class);

    /** Calls use at most one part in three of the heap, as in a node with the default heap. */
    private static final int HEAP_SHARE = 3;

    private final NodeParts parts;
    private final NodeMetrics metrics;
    private final LocalCalls calls;

    private LocalBackend(NodeSettings settings, Platform platform) {
        parts = new NodeParts(platform);
        try {
            ScheduledExecutorService background = platform.newScheduler("iocluster-background");
            parts.add("background tasks", background::shutdownNow);
            metrics = parts.add(
                    "metrics",
                    new NodeMetrics(settings.node().id(), NAME, settings.metrics(), 0, CallTap.NONE, platform));
            calls = new LocalCalls(
                    settings.pipeline(),
                    metrics.events(),
                    tracing(settings, platform),
                    RedisStore::open,
                    // The door limits the open calls, and its limit may be raised while it runs.
                    DoorLimits.MAX_IN_FLIGHT,
                    platform);
            Pipeline pipeline = calls.pipeline();
            PipelineMeters.bind(metrics, pipeline, settings.metrics().maxUpstreams());
            metrics.startRefresh(pipeline::status, pipeline::destinations, background);
        } catch (RuntimeException | Error failed) {
            parts.close();
            throw failed;
        }
    }

    private Tracing tracing(NodeSettings settings, Platform platform) {
        if (!settings.tracing().enabled()) {
            return Tracing.OFF;
        }
        OpenTelemetryTracing tracing = parts.add("tracing", OpenTelemetryTracing.of(settings, platform));
        metrics.bind(new SpanMeters(tracing));
        return tracing;
    }

    static LocalBackend create(NodeSettings settings, Platform platform) {
        return new LocalBackend(fitHeap(settings), platform);
    }

    /** Returns the settings with at most a third of the heap for calls, because the heap of a door is small. */
    private static NodeSettings fitHeap(NodeSettings settings) {
        DataSize configured = settings.workers().maxInFlightBytes();
        long heap = Runtime.getRuntime().maxMemory();
        DataSize fitting = new DataSize(Math.max(DataSize.ofMebibytes(1).bytes(), heap / HEAP_SHARE));
        if (configured.bytes() <= fitting.bytes()) {
            return settings;
        }
        LOG.info(
                "Reduced workers.max-in-flight-bytes to a third of the heap configured={} applied={} heap={}; raise -Xmx"
                        + " in IOCLUSTER_JAVA_OPTS to use more",
                configured,
                fitting,
                new DataSize(heap));
        return settings.withWorkers(settings.workers().withMaxInFlightBytes(fitting));
    }

    @Override
    public Calls calls() {
        return calls;
    }

    @Override
    public void start() {
        calls.start();
    }

    @Override
    public void bind(MeterBinder meters) {
        metrics.bind(meters);
    }

    @Override
    public Page metrics(String accept) {
        Exposition exposition =
                metrics.scrape(calls.pipeline().status(), calls.pipeline().destinations(), accept);
        return new Page(exposition.contentType(), exposition.text());
    }

    @Override
    public Set<ConsulUpstreamSettings> services(NodeSettings settings) {
        return settings.consulServices();
    }

    @Override
    public void setService(ConsulUpstreamSettings service, List<UpstreamAddress> instances) {
        calls.pipeline().upstreams().setService(service, instances);
    }

    @Override
    public boolean apply(NodeSettings next) {
        return calls.pipeline().reconfigure(fitHeap(next).pipeline());
    }

    @Override
    public void close() {
        parts.close();
    }
}
