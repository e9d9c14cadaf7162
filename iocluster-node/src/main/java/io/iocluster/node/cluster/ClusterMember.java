package io.iocluster.node.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.log.LogThrottle;
import io.iocluster.node.cluster.AnnouncementCodec.Decoded;
import io.iocluster.node.cluster.ClusterProblem.Open;
import io.iocluster.node.config.ClusterSettings;
import io.iocluster.node.problem.ProblemMonitor;
import io.iocluster.node.problem.ProblemTracker;
import io.iocluster.node.problem.ProblemTracker.Timing;
import io.iocluster.node.tuning.Advisor;
import io.iocluster.node.tuning.ClusterAdvisor;
import io.iocluster.node.tuning.ClusterAdvisor.ClusterAdvice;
import io.iocluster.node.tuning.ClusterAdvisor.NodeObservation;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.thread.Platform;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.cluster.ClusterChannelStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's membership in its cluster: announces the node, and evaluates what all nodes announce. Owned by the node. Its state is
 * confined to its own thread, except the status. No broker outage and no record of another node affects calls.
 */
public final class ClusterMember implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterMember.class);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);
    private static final ClusterChannelStatus NO_CHANNEL = new ClusterChannelStatus(null, 0, 0, 0);

    /** A new node announces itself more often until its records arrive, so that the others show it soon. */
    private static final Duration FIRST_INTERVAL = Duration.ofMillis(500);

    /** How often this node updates its share of limits, and checks whether a record is due. */
    private static final long TICK_MILLIS = 100;

    /** A broker that has not answered a query for this long may be unreachable. */
    private static final long MAX_UNANSWERED_MILLIS = 2_000;

    /** How long announcements do not arrive, or arrive late, until this is a problem. Before, the node notices that the broker is away. */
    private static final Duration CONFIRM_LATE = Duration.ofSeconds(5);

    /** After this time, the action may compare nodes. Before, the others may only not have noticed the problem yet. */
    private static final Duration LASTING = Duration.ofSeconds(15);

    private static final int MAX_FIRST_ANNOUNCEMENTS = 20;
    private static final int RECORDS_UNTIL_SHOWN = 2;

    private final AnnouncedNode node;
    private final ClusterSettings settings;
    private final Optional<ClusterChannel> channel;
    private final AnnouncementBuilder builder;
    private final ClusterView view;
    private final ShareMembers members;
    private final ShareLease lease;
    private final Consumer<ClusterShare> shares;
    private final Platform platform;
    private final ClusterAdvisor clusterAdvisor;
    private final ScheduledExecutorService executor;
    private final LogThrottle defectLog;
    private final LogThrottle dropLog;

    private long loggedDropped;
    private int announcements;
    private long nextNanos;
    private volatile ClusterShare share = ClusterShare.UNKNOWN;
    private final ProblemTracker<ClusterProblem> problemTracker =
            new ProblemTracker<>(each -> List.of(each.kind(), each.subject()), ClusterMember::timing);
    private volatile ClusterAdvice advice;
    private volatile List<Open> problems = List.of();
    private final Object leaveLock = new Object();

    @GuardedBy("leaveLock")
    private boolean announced;

    @GuardedBy("leaveLock")
    private boolean left;

    /**
     * Creates a member that {@link #start} starts.
     *
     * @param channel empty if the node does not announce itself
     * @param shares receives each new share of the limits for the cluster; the first one is unknown and is not reported
     */
    public ClusterMember(
            AnnouncedNode node,
            Advisor advisor,
            ProblemMonitor problems,
            Optional<ClusterChannel> channel,
            Consumer<ClusterShare> shares,
            Platform platform) {
        this.platform = platform;
        this.clusterAdvisor = new ClusterAdvisor(platform.clock());
        this.executor = platform.newScheduler("iocluster-cluster");
        this.defectLog = new LogThrottle(LOG, platform::nanos);
        this.dropLog = new LogThrottle(LOG, Duration.ofMinutes(1), platform::nanos);
        this.node = node;
        this.settings = node.settings().cluster();
        this.channel = channel;
        this.builder = new AnnouncementBuilder(
                node, advisor::status, advisor::observation, problems::problems, platform.uniqueId());
        this.view = new ClusterView(builder.instance(), settings, platform::nanos, platform.clock());
        this.members = new ShareMembers(builder.instance(), settings, platform::nanos);
        this.lease = new ShareLease(
                members,
                settings,
                () -> node.settings().dividesLimits(),
                () -> node.settings().dividesMaxInFlight(),
                () -> isAnswering(node.status().source()),
                this::needsShare,
                platform::nanos);
        this.shares = shares;
    }

    /** Returns whether this node has calls to start. One that stops may still have some. */
    private boolean needsShare() {
        PipelineState state = node.status().state();
        return state == PipelineState.RUNNING || state == PipelineState.DRAINING;
    }

    private static boolean isAnswering(SourceStatus source) {
        return source.connected() && source.unansweredMillis() < MAX_UNANSWERED_MILLIS;
    }

    /**
     * Starts to announce the node and to listen to the others. A node that has not started to read uses no share of the limits for the cluster.
     * Returns at once. Call it once.
     */
    public void start() {
        if (channel.isPresent()) {
            view.start();
            members.start();
            channel.get().start(this::received);
            nextNanos = platform.nanos();
            executor.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Handles an untrusted record, which must not fill the log by triggering a defect. */
    private void received(byte[] record) {
        try {
            Decoded decoded = AnnouncementCodec.decode(record);
            if (decoded instanceof Decoded.Announced announced) {
                received(announced.announcement());
            } else if (decoded instanceof Decoded.Renewed renewed) {
                members.received(renewed.heartbeat());
            } else if (decoded instanceof Decoded.Ignored ignored) {
                view.ignored(ignored.reason());
            }
        } catch (RuntimeException | Error bug) {
            defectLog.error("Announcement ignored because of a defect", bug);
        }
    }

    private void received(NodeAnnouncement announcement) {
        view.received(announcement);
        if (announcement.leaving()) {
            members.left(announcement.id().instance());
        } else {
            members.announced(announcement.heartbeat(settings.announceInterval().toMillis()));
        }
    }

    private void tick() {
        updateShare();
        long now = platform.nanos();
        if (now - nextNanos >= 0) {
            boolean isNew = view.ownRecords() < RECORDS_UNTIL_SHOWN && announcements++ < MAX_FIRST_ANNOUNCEMENTS;
            Duration interval = isNew ? FIRST_INTERVAL : settings.announceInterval();
            nextNanos = Math.max(nextNanos + interval.toNanos(), now);
            announce(now);
        } else if (lease.isRenewalDue()) {
            sendUnlessLeft(AnnouncementCodec.encode(builder.heartbeat(lease.send())));
        }
    }

    private void updateShare() {
        ClusterShare next = hasLeft() ? ClusterShare.UNKNOWN : lease.renew();
        ClusterShare before = share;
        if (next.equals(before)) {
            return;
        }
        // Before the share counts as changed, so that the next tick tries again after a failure.
        shares.accept(next);
        share = next;
        if (!node.settings().dividesLimits() || hasLeft()) {
            return;
        }
        if (next.isKnown()) {
            LOG.info("Share of the limits for the cluster changed nodes={} before={}", next.nodes(), before.nodes());
        } else {
            LOG.warn(
                    "Share of the limits for the cluster unknown, because this node's announcements do not arrive in time; calls"
                            + " to destinations with such a limit wait");
        }
    }

    private boolean hasLeft() {
        synchronized (leaveLock) {
            return left;
        }
    }

    private void announce(long nanos) {
        NodeAnnouncement own = builder.build(nanos, platform.wallMillis(), lease.send());
        synchronized (leaveLock) {
            if (!left) {
                view.setOwn(own);
                announced = true;
            }
        }
        sendUnlessLeft(AnnouncementCodec.encode(own));
        ClusterSnapshot snapshot = view.snapshot();
        // The advice is for a cluster with this node.
        boolean isUsable = node.status().state() != PipelineState.NEW
                && !snapshot.silent()
                && !snapshot.nodes().isEmpty();
        advice = isUsable
                ? clusterAdvisor.evaluate(
                        observations(snapshot, nanos), node.settings().tuning(), nanos)
                : null;
        ClusterChannelStatus status = channelStatus();
        problems = open(ClusterProblemDetector.detect(snapshot, status.problem()), nanos);
        logDropped(status.dropped());
    }

    private void sendUnlessLeft(byte[] record) {
        synchronized (leaveLock) {
            if (!left) {
                channel.ifPresent(each -> each.announce(record));
            }
        }
    }

    private void logDropped(long dropped) {
        if (dropped > loggedDropped
                && dropLog.warn(
                        "Announcements dropped because they are too large or too many; only nodes may write to the topic or"
                                + " exchange of the announcements records={}",
                        dropped - loggedDropped)) {
            loggedDropped = dropped;
        }
    }

    private static List<NodeObservation> observations(ClusterSnapshot snapshot, long nanos) {
        return snapshot.nodes().stream()
                .map(each -> each.announcement())
                .map(each -> new NodeObservation(
                        each.id().instance(),
                        each.load().lagIsShared(),
                        each.load().observation(nanos)))
                .toList();
    }

    private List<Open> open(List<ClusterProblem> found, long nanos) {
        Instant now = platform.clock().instant();
        return problemTracker.update(found, now, nanos).stream()
                .map(each -> new Open(
                        Duration.between(each.since(), now).compareTo(LASTING) < 0
                                ? each.problem()
                                : each.problem().afterItLasted(),
                        each.since()))
                .toList();
    }

    /** The nodes have confirmed their problems. Late announcements are a problem only if the broker answers. */
    private static Timing timing(ClusterProblem problem) {
        boolean late = problem.kind().equals(ClusterProblemDetector.VIEW_OUTDATED)
                || problem.kind().equals(ClusterProblemDetector.CLOCK_DIFFERS);
        return new Timing(late ? CONFIRM_LATE : Duration.ZERO, Duration.ZERO);
    }

    private ClusterChannelStatus channelStatus() {
        return channel.map(ClusterChannel::status).orElse(NO_CHANNEL);
    }

    /** Returns the current status. Any thread. */
    ClusterStatus status() {
        ClusterSnapshot snapshot = view.snapshot();
        return new ClusterStatus(
                channel.isPresent(), snapshot, channelStatus(), snapshot.silent() ? null : advice, problems, share);
    }

    /**
     * Stops announcing the node, and tells the other nodes that it leaves if they know it. Does not block. Further calls have no effect.
     */
    public void leave() {
        synchronized (leaveLock) {
            if (left) {
                return;
            }
            left = true;
            view.setOwn(null);
            if (announced) {
                channel.ifPresent(each -> each.announce(leavingRecord()));
            }
        }
    }

    /** Returns null for a node that the other nodes do not know. Its creation may have failed, so it may lack an address. */
    private byte[] lastRecord() {
        synchronized (leaveLock) {
            return announced ? leavingRecord() : null;
        }
    }

    private byte[] leavingRecord() {
        return AnnouncementCodec.encode(NodeAnnouncement.leaving(builder.identity()));
    }

    /** Leaves the cluster and disconnects. Blocks for a second if the broker does not answer. */
    @Override
    public void close() {
        leave();
        executor.shutdownNow();
        channel.ifPresent(each -> each.close(lastRecord(), CLOSE_WITHIN));
    }
}
