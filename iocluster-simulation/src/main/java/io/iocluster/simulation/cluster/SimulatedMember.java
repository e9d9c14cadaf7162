package io.iocluster.simulation.cluster;

import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.node.cluster.AnnouncedNode;
import io.iocluster.node.cluster.ClusterMember;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.problem.MonitoredNode;
import io.iocluster.node.problem.ProblemMonitor;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.node.tuning.Advisor;
import io.iocluster.node.tuning.TunedNode;
import io.iocluster.node.tuning.TuningStatus;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.event.UnpublishedAnswers;
import io.iocluster.producer.AppStatus;
import io.iocluster.thread.Platform;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.upstream.UpstreamStatus;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The part of a node's program that announces the node and divides limits, around its pipeline. */
final class SimulatedMember implements AnnouncedNode, TunedNode, MonitoredNode {

    /** Only what the announcements read: intervals, and that there is a limit for the whole cluster. */
    private static final NodeSettings SETTINGS = new SettingsLoader<>(NodeSettings.class, Map.of())
            .load(
                    "destinations: [{match: " + SimulatedTargets.DIVIDED + ", max-in-flight: "
                            + io.iocluster.simulation.cluster.NodeSettings.DIVIDED_IN_FLIGHT
                            + ", max-in-flight-per: cluster}]",
                    Path.of("."))
            .settings();

    private static final ConfigurationStatus CONFIGURATION =
            new ConfigurationStatus(null, false, 0, 0, null, List.of(), "0123456789abcdef");
    private static final InetSocketAddress ADMIN = InetSocketAddress.createUnresolved("simulated", 8080);

    private final String name;
    private final Pipeline pipeline;
    private final Platform platform;
    private final long startNanos;
    private final Advisor advisor;
    private final ClusterMember member;

    /**
     * Creates a member that {@link #start} starts.
     *
     * @param shares receives each new share, after the pipeline
     */
    SimulatedMember(
            String name, Pipeline pipeline, Platform platform, ClusterChannel channel, Consumer<ClusterShare> shares) {
        this.name = name;
        this.pipeline = pipeline;
        this.platform = platform;
        this.startNanos = platform.nanos();
        pipeline.setClusterShare(ClusterShare.UNKNOWN);
        this.advisor = new Advisor(this, platform);
        this.member = new ClusterMember(
                this,
                advisor,
                new ProblemMonitor(this, () -> null, platform, platform.newScheduler("problems")),
                Optional.of(channel),
                share -> {
                    pipeline.setClusterShare(share);
                    shares.accept(share);
                },
                platform);
    }

    void start() {
        member.start();
    }

    void leave() {
        member.leave();
    }

    void close() {
        member.close();
    }

    /** Returns the name of the node, which its processes share: that of a process also has its number. */
    @Override
    public String id() {
        return name.substring(0, name.indexOf('#'));
    }

    @Override
    public Duration uptime() {
        return Duration.ofNanos(platform.nanos() - startNanos);
    }

    @Override
    public NodeSettings settings() {
        return SETTINGS;
    }

    @Override
    public PipelineStatus status() {
        return pipeline.status();
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
        return List.of();
    }

    @Override
    public Optional<SharedCacheStatus> sharedCache() {
        return Optional.empty();
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
    public ConfigurationStatus configuration() {
        return CONFIGURATION;
    }

    @Override
    public InetSocketAddress adminAddress() {
        return ADMIN;
    }

    @Override
    public long acknowledgedCount() {
        return 0;
    }

    @Override
    public long notMadeCount() {
        return 0;
    }

    @Override
    public void resize(Integer threads, Integer maxInFlight) {
        throw new UnsupportedOperationException("the schedule resizes simulated nodes");
    }
}
