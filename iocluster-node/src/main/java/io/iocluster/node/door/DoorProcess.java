package io.iocluster.node.door;

import io.iocluster.door.Door;
import io.iocluster.door.call.Calls;
import io.iocluster.door.call.EgressCheckedCalls;
import io.iocluster.door.call.QueueCalls;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.config.DoorTransport;
import io.iocluster.door.local.LocalCalls;
import io.iocluster.door.server.DoorRoutes.Page;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.node.build.BuildInfo;
import io.iocluster.node.cache.CacheMeters;
import io.iocluster.node.cache.SharedCacheMeters;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.metrics.NodeMetrics;
import io.iocluster.node.metrics.NodeMetrics.Exposition;
import io.iocluster.node.producer.AppMeters;
import io.iocluster.node.redis.RedisStore;
import io.iocluster.node.tracing.OpenTelemetryTracing;
import io.iocluster.node.tracing.SpanMeters;
import io.iocluster.node.upstream.UpstreamMeters;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.event.CallTap;
import io.iocluster.settings.DataSize;
import io.iocluster.trace.Tracing;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A door with its metrics and tracing. Owns them. Thread-safe. */
public final class DoorProcess implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DoorProcess.class);

    /** Calls use at most one part in three of the heap, as in a node with the default heap. */
    private static final int HEAP_SHARE = 3;

    private final Door door;
    private final Runnable closeRest;

    private DoorProcess(Door door, Runnable closeRest) {
        this.door = door;
        this.closeRest = closeRest;
    }

    /**
     * Starts a door. Its settings say whether it makes calls itself.
     *
     * @throws IOException if it cannot listen, or if it needs a broker and cannot reach it; the message is for users
     */
    public static DoorProcess start(NodeSettings settings) throws IOException {
        DoorProcess process =
                settings.door().transport() == DoorTransport.LOCAL ? startLocal(settings) : startQueue(settings);
        InetSocketAddress address = process.address();
        LOG.info(
                "Door started version={} java={} door={} transport={} address={}://{}:{}",
                BuildInfo.VERSION,
                Runtime.version(),
                settings.node().id(),
                transportName(settings),
                settings.door().tls().isEnabled() ? "https" : "http",
                address.getHostString(),
                address.getPort());
        return process;
    }

    private static String transportName(NodeSettings settings) {
        return settings.door().transport() == DoorTransport.LOCAL
                ? "local"
                : settings.transport().wireName();
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
                "Calls use a third of the heap instead of workers.max-in-flight-bytes; raise -Xmx in IOCLUSTER_JAVA_OPTS to"
                        + " use more configured={} applied={} heap={}",
                configured,
                fitting,
                new DataSize(heap));
        return settings.withWorkers(settings.workers().withMaxInFlightBytes(fitting));
    }

    private static DoorProcess startLocal(NodeSettings configured) throws IOException {
        NodeSettings settings = fitHeap(configured);
        DoorSettings door = settings.door();
        NodeMetrics metrics =
                new NodeMetrics(settings.node().id(), transportName(settings), settings.metrics(), 0, CallTap.NONE);
        Optional<OpenTelemetryTracing> tracing =
                settings.tracing().enabled() ? Optional.of(OpenTelemetryTracing.of(settings)) : Optional.empty();
        Runnable closeRest = () -> {
            tracing.ifPresent(OpenTelemetryTracing::close);
            metrics.close();
        };
        try {
            LocalCalls calls = new LocalCalls(
                    settings.pipeline(),
                    metrics.events(),
                    tracing.<Tracing>map(each -> each).orElse(Tracing.OFF),
                    RedisStore::open,
                    door.limits().maxInFlight());
            bind(metrics, settings, calls.pipeline(), tracing);
            Door started =
                    Door.start(door, calls, settings.workers().maxBranches(), accept -> page(metrics, calls, accept));
            metrics.bind(started.meters());
            return new DoorProcess(started, closeRest);
        } catch (IOException | RuntimeException failed) {
            closeRest.run();
            throw failed;
        }
    }

    private static void bind(
            NodeMetrics metrics, NodeSettings settings, Pipeline pipeline, Optional<OpenTelemetryTracing> tracing) {
        tracing.ifPresent(spans -> metrics.bind(new SpanMeters(spans)));
        AppMeters apps = new AppMeters(pipeline::apps);
        metrics.bind(apps, apps::update);
        CacheMeters caches = new CacheMeters(pipeline::caches);
        metrics.bind(caches, caches::update);
        SharedCacheMeters shared = new SharedCacheMeters(pipeline::sharedCache);
        metrics.bind(shared, shared::update);
        UpstreamMeters upstreams = new UpstreamMeters(
                () -> pipeline.upstreams().status(), settings.metrics().maxUpstreams());
        metrics.bind(upstreams, upstreams::update);
        metrics.startRefresh(pipeline::status, pipeline::destinations);
    }

    private static Page page(NodeMetrics metrics, LocalCalls calls, String accept) {
        Exposition exposition =
                metrics.scrape(calls.pipeline().status(), calls.pipeline().destinations(), accept);
        return new Page(exposition.contentType(), exposition.text());
    }

    private static DoorProcess startQueue(NodeSettings settings) throws IOException {
        DoorSettings door = settings.door();
        String id = settings.node().id();
        Calls calls = new EgressCheckedCalls(
                QueueCalls.connect(
                        DoorClients.transport(settings),
                        id,
                        settings.producers().header(),
                        door.limits().maxInFlight()),
                new EgressPolicy(settings.egress()),
                id);
        QueueDoorMetrics metrics = new QueueDoorMetrics();
        try {
            Door started = Door.start(door, calls, settings.workers().maxBranches(), metrics::scrape);
            started.meters().bindTo(metrics.registry());
            return new DoorProcess(started, metrics::close);
        } catch (IOException | RuntimeException failed) {
            metrics.close();
            throw failed;
        }
    }

    /** Returns the address that the door listens on. */
    public InetSocketAddress address() {
        return door.address();
    }

    /** Accepts no further calls, and waits for the open ones. Returns whether all ended within this time. */
    public boolean drain(Duration within) throws InterruptedException {
        LOG.info("Draining timeout={}", within);
        boolean ended = door.drain(within);
        if (ended) {
            LOG.info("Drain finished");
        } else {
            LOG.warn("Drain timed out timeout={}; the callers of the open calls get no answer", within);
        }
        return ended;
    }

    @Override
    public void close() {
        door.close();
        closeRest.run();
    }
}
