package io.iocluster.node.cluster;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.cluster.NodeAnnouncement.AppLoad;
import io.iocluster.node.cluster.NodeAnnouncement.Apps;
import io.iocluster.node.cluster.NodeAnnouncement.DestinationLoad;
import io.iocluster.node.cluster.NodeAnnouncement.Identity;
import io.iocluster.node.cluster.NodeAnnouncement.Lags;
import io.iocluster.node.cluster.NodeAnnouncement.Load;
import io.iocluster.node.cluster.NodeAnnouncement.NodeProblem;
import io.iocluster.node.cluster.NodeAnnouncement.QueueLag;
import io.iocluster.node.cluster.NodeAnnouncement.Saturated;
import io.iocluster.node.config.BuildInfo;
import io.iocluster.node.config.IdentitySettings;
import io.iocluster.node.problem.Problem.Severity;
import io.iocluster.node.problem.ProblemMonitor.OpenProblem;
import io.iocluster.node.tuning.Observation;
import io.iocluster.node.tuning.TuningStatus;
import io.iocluster.node.window.AttemptWindow;
import io.iocluster.node.window.AttemptWindow.Recent;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.producer.AppStatus;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Builds the announcements of this node from snapshots that the node keeps anyway. Confined to the member's thread. */
final class AnnouncementBuilder {

    /** Half of the time whose attempts an announcement reports. */
    private static final Duration WINDOW = Duration.ofSeconds(10);

    private final AnnouncedNode node;
    private final Supplier<TuningStatus> tuning;
    private final Supplier<Observation> observation;
    private final Supplier<List<OpenProblem>> problems;
    private final String instance;
    private AttemptWindow window;

    /**
     * Creates the builder of one process.
     *
     * @param observation returns the advisor's latest one; null before the first
     * @param instance the id of this process, of which half is announced
     */
    AnnouncementBuilder(
            AnnouncedNode node,
            Supplier<TuningStatus> tuning,
            Supplier<Observation> observation,
            Supplier<List<OpenProblem>> problems,
            UUID instance) {
        this.node = node;
        this.tuning = tuning;
        this.observation = observation;
        this.problems = problems;
        this.instance = HexFormat.of().toHexDigits(instance.getLeastSignificantBits());
    }

    /** Returns the random id of this process. Any thread. */
    String instance() {
        return instance;
    }

    /** Returns the identity of this node. Any thread. */
    Identity identity() {
        return new Identity(
                node.id(),
                instance,
                IdentitySettings.hostName(),
                address(node.adminAddress()),
                BuildInfo.VERSION,
                node.configuration().hash(),
                node.settings().transport().wireName(),
                node.uptime().toMillis());
    }

    Heartbeat heartbeat(Lease lease) {
        return new Heartbeat(node.id(), instance, lease);
    }

    private static String address(InetSocketAddress admin) {
        boolean any = admin.getAddress() != null && admin.getAddress().isAnyLocalAddress();
        return (any ? IdentitySettings.hostName() : admin.getHostString()) + ":" + admin.getPort();
    }

    NodeAnnouncement build(long nanos, long wallMillis, Lease lease) {
        PipelineStatus status = node.status();
        List<DestinationStatus> destinations = node.destinations();
        if (window == null) {
            window = new AttemptWindow(WINDOW, destinations, nanos);
        }
        List<Recent> recent = window.advance(destinations, nanos);
        long ended = recent.stream().mapToLong(Recent::ended).sum();
        long errors = recent.stream().mapToLong(Recent::errors).sum();
        TuningStatus advice = tuning.get();
        return new NodeAnnouncement(
                NodeAnnouncement.VERSION,
                identity(),
                false,
                node.settings().cluster().announceInterval().toMillis(),
                wallMillis,
                status.stateName(),
                load(status),
                advice.callsPerSecond(),
                ended == 0 ? null : (Double) Math.min(1, (double) errors / ended),
                lags(status.source()),
                busiest(recent),
                problems.get().stream().map(AnnouncementBuilder::problem).toList(),
                advice.advice().verdict().wireName(),
                advice.advice().reason(),
                apps(node.apps()),
                lease);
    }

    private static Apps apps(List<AppStatus> all) {
        List<AppStatus> active = all.stream()
                .filter(each -> each.callsPerSecond() > 0 || each.inFlight() > 0 || each.waiting() > 0)
                .toList();
        List<AppLoad> busiest = active.stream()
                .sorted(Comparator.comparingDouble((AppStatus each) -> each.callsPerSecond() + each.waiting())
                        .reversed()
                        .thenComparing(AppStatus::name))
                .limit(NodeAnnouncement.MAX_APPS)
                .map(each -> new AppLoad(
                        each.name(),
                        rounded(each.callsPerSecond()),
                        rounded(each.overQuotaPerSecond()),
                        each.inFlight(),
                        each.waiting()))
                .toList();
        double callsPerSecond =
                active.stream().mapToDouble(AppStatus::callsPerSecond).sum();
        return new Apps(rounded(callsPerSecond), busiest, active.size() - busiest.size());
    }

    private static double rounded(double perSecond) {
        return Math.round(perSecond * 10) / 10.0;
    }

    private Load load(PipelineStatus status) {
        boolean shared = status.source().lags().stream().anyMatch(lag -> lag.partition() == null);
        Observation latest = observation.get();
        if (latest == null) {
            return new Load(
                    status.inFlight(),
                    status.maxInFlight(),
                    status.workers().size(),
                    status.waiting(),
                    status.unconfirmed(),
                    0,
                    null,
                    null,
                    null,
                    shared,
                    false,
                    status.stopReason(),
                    null,
                    List.of());
        }
        return new Load(
                status.inFlight(),
                status.maxInFlight(),
                status.workers().size(),
                status.waiting(),
                status.unconfirmed(),
                latest.acknowledged(),
                ratio(latest.cpu()),
                ratio(latest.workerCpu()),
                latest.lag() == null ? null : (Long) Math.max(0, latest.lag()),
                shared,
                latest.shareLimited(),
                latest.stopReason(),
                latest.bottleneck(),
                latest.saturated().stream()
                        .map(each -> new Saturated(each.destination(), each.reason(), each.calls()))
                        .toList());
    }

    private static Double ratio(double value) {
        return Double.isNaN(value) ? null : (Double) Math.min(1, Math.max(0, Math.round(value * 1e3) / 1e3));
    }

    private static Lags lags(SourceStatus source) {
        List<QueueLag> largest = source.lags().stream()
                .sorted(Comparator.comparingLong(Lag::messages).reversed())
                .map(lag -> new QueueLag(
                        lag.queue(), lag.partition(), Math.max(0, lag.messages()), lag.oldestAgeMillis(), lag.stale()))
                .toList();
        return new Lags(
                largest.isEmpty() ? null : (Long) Math.max(0, source.messages()),
                source.lags().stream().mapToLong(Lag::oldestAgeMillis).max().orElse(0),
                largest,
                0);
    }

    /** Returns the destinations with most calls first. */
    private static List<DestinationLoad> busiest(List<Recent> recent) {
        return recent.stream()
                .filter(each -> each.ended() > 0
                        || each.status().waiting() > 0
                        || each.status().inFlight() > 0)
                .sorted(Comparator.comparingLong(
                                (Recent each) -> each.ended() + each.status().waiting())
                        .reversed())
                .limit(NodeAnnouncement.MAX_DESTINATIONS)
                .map(each -> new DestinationLoad(
                        each.status().name(),
                        each.status().inFlight(),
                        each.status().limit(),
                        each.status().waiting(),
                        rounded(each.perSecond()),
                        each.errorShare(),
                        each.status().breaker().wireName()))
                .toList();
    }

    private static NodeProblem problem(OpenProblem open) {
        return new NodeProblem(
                open.problem().kind().wireName(),
                open.problem().severity() == Severity.BAD,
                open.problem().subject(),
                open.problem().text(),
                open.problem().action());
    }
}
