package io.iocluster.node.runtime;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.node.admin.AdminServer;
import io.iocluster.node.admin.NodeControl;
import io.iocluster.node.admin.Readiness;
import io.iocluster.node.audit.AuditLog;
import io.iocluster.node.broker.SinkMeters;
import io.iocluster.node.cluster.AnnouncedNode;
import io.iocluster.node.cluster.ClusterMember;
import io.iocluster.node.cluster.ClusterMeters;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.EffectiveSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.consul.ConsulIntegration;
import io.iocluster.node.consul.ConsulMeters;
import io.iocluster.node.consul.ConsulStatus;
import io.iocluster.node.consul.RegisteredProcess;
import io.iocluster.node.history.HistoryRecorder;
import io.iocluster.node.history.HistoryRecorder.DestinationSources;
import io.iocluster.node.history.HistoryRecorder.SampleSources;
import io.iocluster.node.logging.LogLevels;
import io.iocluster.node.logging.NodeLogging;
import io.iocluster.node.metrics.CertificateMeters;
import io.iocluster.node.metrics.NodeMetrics;
import io.iocluster.node.metrics.PipelineMeters;
import io.iocluster.node.problem.MonitoredNode;
import io.iocluster.node.problem.ProblemMeters;
import io.iocluster.node.problem.ProblemMonitor;
import io.iocluster.node.reload.ConfigurationMeters;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.node.reload.ConfigurationWatcher;
import io.iocluster.node.reload.LiveConfiguration;
import io.iocluster.node.tap.CallTaps;
import io.iocluster.node.tracing.OpenTelemetryTracing;
import io.iocluster.node.tracing.SpanMeters;
import io.iocluster.node.tuning.Advisor;
import io.iocluster.node.tuning.TunedNode;
import io.iocluster.node.tuning.TuningMeters;
import io.iocluster.node.tuning.TuningStatus;
import io.iocluster.node.warmup.NodeWarmUp;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.event.UnpublishedAnswers;
import io.iocluster.producer.AppStatus;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import io.iocluster.upstream.UpstreamStatus;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A running node. Owns its pipeline, metrics, admin server, advisor, tracing and Consul. Lifecycle: start, drain, close. Thread-safe.
 */
public final class Node implements NodeControl, TunedNode, MonitoredNode, AnnouncedNode, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Node.class);

    private final Platform platform;
    private final long startedNanos;
    private final AuditLog audit;

    /** Runs the short tasks that nothing waits for: samples, gauges, problems and expired log levels. */
    private final ScheduledExecutorService background;

    private final LogLevels logLevels;
    private final LiveConfiguration configuration;
    private final NodeMetrics metrics;
    private final CertificateMeters certificates;
    private final CallTaps taps;
    private final Pipeline pipeline;
    private final NodeWarmUp warmUp;
    private final Object startLock = new Object();

    @GuardedBy("startLock")
    private boolean stopping;

    private final Advisor advisor;
    private final ProblemMonitor problems;
    private final HistoryRecorder history;
    private final ClusterMember cluster;
    private final NodeDrain drain;
    private final AdminServer admin;
    /** Empty until the admin server, which reads it, has an address to register. */
    private volatile Optional<ConsulIntegration> consul = Optional.empty();

    private final NodeParts parts;

    /**
     * Creates and starts a node. If the broker is unavailable, the node starts anyway and connects when it can.
     *
     * @param pipelines creates the node's pipeline
     * @throws IOException if the admin server cannot listen on its address
     */
    public static Node start(LoadedSettings<NodeSettings> settings, PipelineFactory pipelines) throws IOException {
        Node node = create(settings, pipelines);
        try {
            node.start();
        } catch (Throwable failed) {
            node.close();
            throw failed;
        }
        return node;
    }

    /**
     * Creates a node. Its admin server answers, but it is not ready before {@link #start()}.
     *
     * @param pipelines creates the node's pipeline
     * @throws IOException if the admin server cannot listen on its address
     */
    public static Node create(LoadedSettings<NodeSettings> settings, PipelineFactory pipelines) throws IOException {
        Platform platform = Platform.system();
        return create(settings, pipelines, NodeWarmUp.create(platform), platform);
    }

    /**
     * Creates a node with this warm-up on a platform.
     *
     * @param platform the clocks, threads and random numbers of the node; those of its pipeline come from {@code pipelines}
     */
    public static Node create(
            LoadedSettings<NodeSettings> settings, PipelineFactory pipelines, NodeWarmUp warmUp, Platform platform)
            throws IOException {
        return new Node(settings, pipelines, warmUp, platform);
    }

    /**
     * Announces the node, warms it up, and then starts to read messages. If no other node reads them, it joins its broker's group meanwhile. Blocks
     * until the warm-up ends. A drain or {@link #close} on another thread ends it, and the node then reads nothing. Call it once.
     */
    public void start() {
        NodeSettings settings = settings();
        LOG.info("Node started {}", BrokerSummary.ofStart(settings, adminAddress()));
        if (!settings.node().warmUp().isZero()) {
            platform.newThreads("iocluster-join").execute(this::joinIfOnlyReader);
        }
        startAnnouncing();
        warmUp.run(settings.node().warmUp(), settings.workers().effectiveThreads());
        consul.ifPresent(ConsulIntegration::awaitServices);
        synchronized (startLock) {
            if (!stopping) {
                pipeline.start();
                advisor.start();
                problems.start();
                history.start();
                parts.add(
                        "log of the first connection",
                        ConnectionLog.start(() -> status().source(), this::logConnected, background));
            }
        }
    }

    /** Starts before the warm-up. So its code is loaded, and the others are usually known, before the first call. */
    private void startAnnouncing() {
        synchronized (startLock) {
            if (!stopping) {
                cluster.start();
            }
        }
    }

    /** Joins the broker's group during the warm-up, because a group without readers makes its first one wait for some seconds. */
    private void joinIfOnlyReader() {
        boolean alone = pipeline.isOnlyReader();
        synchronized (startLock) {
            if (alone && !stopping) {
                pipeline.join();
            }
        }
    }

    private Node(LoadedSettings<NodeSettings> loaded, PipelineFactory pipelines, NodeWarmUp warmUp, Platform platform)
            throws IOException {
        this.platform = platform;
        this.startedNanos = platform.nanos();
        this.audit = new AuditLog(platform::nanos);
        this.warmUp = warmUp;
        this.parts = new NodeParts(platform);
        NodeSettings initial = loaded.settings();
        try {
            background = platform.newScheduler("iocluster-background");
            parts.add("background tasks", background::shutdownNow);
            logLevels = parts.add("log levels", new LogLevels(platform, background));
            configuration = new LiveConfiguration(loaded, this::apply, platform.clock(), audit);
            taps = new CallTaps(initial.admin().tap(), configuration::current, platform);
            metrics = parts.add(
                    "metrics",
                    new NodeMetrics(
                            initial.node().id(),
                            initial.transport().wireName(),
                            initial.metrics(),
                            initial.admin().recentFailures(),
                            taps,
                            platform));
            metrics.bind(new ConfigurationMeters(configuration::status));
            pipeline = parts.add("pipeline", pipelines.create(initial, metrics.events(), tracing(initial)));
            metrics.bind(new SinkMeters(pipeline::isolatedQueues));
            PipelineMeters.bind(metrics, pipeline, initial.metrics().maxUpstreams());
            certificates = new CertificateMeters(CertificateMeters.files(initial));
            metrics.bind(certificates);
            metrics.startRefresh(pipeline::status, pipeline::destinations, background);
            advisor = parts.add("tuning advisor", new Advisor(this, platform));
            problems = parts.add("problems", new ProblemMonitor(this, metrics::codeTotals, platform, background));
            ProblemMeters problemMeters = new ProblemMeters(problems::problems);
            metrics.bind(problemMeters, problemMeters::update);
            history = parts.add(
                    "history",
                    new HistoryRecorder(
                            new SampleSources(pipeline::status, metrics::stats, configuration::status),
                            new DestinationSources(pipeline::destinations, metrics::attempts),
                            initial.admin(),
                            platform,
                            background));
            pipeline.setClusterShare(ClusterShare.UNKNOWN);
            cluster = parts.add(
                    "cluster",
                    new ClusterMember(
                            this,
                            advisor,
                            problems,
                            pipelines.clusterChannel(initial),
                            pipeline::setClusterShare,
                            platform));
            drain = new NodeDrain(
                    pipeline, () -> settings().shutdown().drainTimeout(), this::preventStart, cluster::leave, platform);
            metrics.bind(new TuningMeters(advisor::status));
            metrics.bind(new ClusterMeters(cluster));
            NodeRoutes routes = new NodeRoutes(
                    this, pipeline, metrics, taps, advisor, problems, history, cluster, logLevels, platform);
            admin = parts.add(
                    "admin server",
                    AdminServer.start(initial.admin(), this, routes.all(), routes.sections(), audit, platform));
            consul = ConsulIntegration.start(
                    initial,
                    RegisteredProcess.node(initial, admin.address()),
                    () -> Readiness.problem(pipeline.status(), settings().brokerAddresses(), isWarmingUp()),
                    NodeSettings::consulServices,
                    pipeline.upstreams()::setService,
                    platform);
            consul.ifPresent(presence -> parts.add("Consul", presence));
            consul.ifPresent(presence -> metrics.bind(new ConsulMeters(presence::status)));
        } catch (IOException | RuntimeException | Error failed) {
            parts.close();
            throw failed;
        }
    }

    private Tracing tracing(NodeSettings initial) {
        if (!initial.tracing().enabled()) {
            return Tracing.OFF;
        }
        OpenTelemetryTracing tracing = parts.add("tracing", OpenTelemetryTracing.of(initial, platform));
        metrics.bind(new SpanMeters(tracing));
        return tracing;
    }

    private void logConnected() {
        LOG.info("Node connected node={} broker={}", id(), settings().brokerAddresses());
    }

    /**
     * Applies changes of the configuration file and of the key in Consul until the node stops. Call it once.
     *
     * @param loader the loader of the node's initial settings
     */
    public void watchConfiguration(Path file, SettingsLoader<NodeSettings> loader) {
        ConfigurationWatcher watcher =
                parts.add("configuration", ConfigurationWatcher.start(file, loader, configuration, platform));
        consul.ifPresent(presence -> presence.watchKey(watcher::setOverlay));
    }

    @Override
    public InetSocketAddress adminAddress() {
        return admin.address();
    }

    @Override
    public String id() {
        return settings().node().id();
    }

    @Override
    public Duration uptime() {
        return Duration.ofNanos(platform.nanos() - startedNanos);
    }

    @Override
    public PipelineStatus status() {
        return pipeline.status();
    }

    @Override
    public boolean isWarmingUp() {
        return warmUp.isRunning();
    }

    @Override
    public List<DestinationStatus> destinations() {
        return pipeline.destinations();
    }

    @Override
    public List<AppStatus> apps() {
        return pipeline.apps();
    }

    @Override
    public List<UpstreamStatus> upstreams() {
        return pipeline.upstreams().status();
    }

    @Override
    public Optional<SharedCacheStatus> sharedCache() {
        return pipeline.sharedCache();
    }

    @Override
    public List<UnpublishedAnswers> unpublishedAnswers() {
        return pipeline.unpublishedAnswers();
    }

    @Override
    public TuningStatus tuning() {
        return advisor.status();
    }

    @Override
    public ObjectNode effectiveConfig() {
        return new EffectiveSettings(configuration.current()).tree();
    }

    @Override
    public ConfigurationStatus configuration() {
        return configuration.status();
    }

    /** Returns the status of the Consul integration, or empty if it is not configured. */
    public Optional<ConsulStatus> consul() {
        return consul.map(ConsulIntegration::status);
    }

    @Override
    public NodeSettings settings() {
        return configuration.current().settings();
    }

    @Override
    public long acknowledgedCount() {
        return metrics.acknowledgedCount();
    }

    @Override
    public long notMadeCount() {
        return metrics.notMadeCount();
    }

    @Override
    public void resize(Integer threads, Integer maxInFlight) {
        configuration.resize(threads, maxInFlight);
        LOG.info(
                "Workers resized workers={} maxInFlight={}",
                settings().workers().effectiveThreads(),
                settings().workers().maxInFlight());
    }

    private boolean apply(NodeSettings next) {
        NodeSettings before = settings();
        Supplier<Boolean> reconfigure = () -> pipeline.reconfigure(next.pipeline());
        boolean changed = consul.map(presence -> presence.apply(before, next, reconfigure))
                .orElseGet(reconfigure);
        if (next.logging().level() != before.logging().level()) {
            logLevels.changeConfigured(() -> NodeLogging.setLevel(next.logging().level()));
        }
        boolean certificateChanged = admin.reloadCertificate();
        certificates.update(CertificateMeters.files(next));
        return changed || certificateChanged || !next.equals(before);
    }

    @Override
    public void pause() {
        LOG.info("Reading paused by operator; calls in flight continue");
        pipeline.pause();
    }

    @Override
    public void resume() {
        LOG.info("Reading resumed by operator");
        pipeline.resume();
    }

    @Override
    public void drain() {
        drain.start();
    }

    /**
     * Starts the drain unless it has already started, and waits until it ends.
     *
     * @return whether every call was answered within {@code shutdown.drain-timeout}
     */
    public boolean awaitDrained() {
        return drain.await();
    }

    /** Ends the warm-up, and waits while the pipeline starts. A node that does not read yet never reads. */
    private void preventStart() {
        warmUp.stop();
        synchronized (startLock) {
            stopping = true;
        }
    }

    /** Stops the node at once, without a drain. */
    @Override
    public void close() {
        preventStart();
        warmUp.awaitEnd();
        parts.close();
    }
}
