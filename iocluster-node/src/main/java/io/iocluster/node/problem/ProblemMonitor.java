package io.iocluster.node.problem;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.problem.ProblemTracker.Timing;
import io.iocluster.node.problem.ProblemTracker.Tracked;
import io.iocluster.node.problem.ServiceTimes.Slowdown;
import io.iocluster.node.window.AttemptWindow;
import io.iocluster.node.window.AttemptWindow.Recent;
import io.iocluster.node.window.CodeTotals;
import io.iocluster.producer.AppStatus;
import io.iocluster.status.StatusField;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Looks for problems of a node once a second. Owned by the node. Its state is
 * confined to the thread of the background tasks, except the current problems.
 */
public final class ProblemMonitor implements AutoCloseable {

    /** The admin API and the metrics report this many problems, most urgent first. */
    static final int MAX_REPORTED = 20;

    private static final long INTERVAL_MILLIS = 1_000;

    /** Half of the time whose attempts count. */
    private static final Duration WINDOW = Duration.ofSeconds(30);

    /** A consequence that lasts longer than this after its cause has another one. */
    private static final Duration ENDS_AFTER_CAUSE = Duration.ofSeconds(15);

    private final MonitoredNode node;
    private final Supplier<CodeTotals> totals;
    private final NodeClock clock;
    private final AttemptWindow window;
    private final CodeWindow codes;
    private final ServiceTimes serviceTimes;
    private final AppHistory appHistory;
    private final ProblemTracker<Problem> tracker = new ProblemTracker<>(
            ProblemMonitor::identity,
            problem ->
                    new Timing(problem.kind().confirmAfter(), problem.kind().isState() ? Duration.ZERO : Timing.HOLD));
    /** When another problem last explained each one. */
    private final Map<Object, Long> explainedNanos = new HashMap<>();

    private volatile List<OpenProblem> problems = List.of();
    private final ScheduledExecutorService background;
    private volatile Future<?> repeated;

    /** A problem and the time since when it exists. Immutable. */
    public record OpenProblem(
            @StatusField(inline = true) Problem problem,

            @StatusField(doc = "when the node first noticed it")
            Instant since) {}

    /**
     * Creates a monitor that {@link #start} starts.
     *
     * @param totals reads the totals of the node
     * @param background looks for problems
     */
    public ProblemMonitor(
            MonitoredNode node, Supplier<CodeTotals> totals, NodeClock clock, ScheduledExecutorService background) {
        this.node = node;
        this.totals = totals;
        this.clock = clock;
        this.background = background;
        this.window = new AttemptWindow(WINDOW, List.of(), clock.nanos());
        this.codes = new CodeWindow(clock.nanos());
        this.serviceTimes = new ServiceTimes(clock.nanos());
        this.appHistory = new AppHistory(clock.nanos());
    }

    /** Starts the search. Call it once. */
    public void start() {
        repeated = background.scheduleWithFixedDelay(
                this::runOnce, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Returns the current problems, most urgent first; empty if nothing is wrong. Thread-safe. */
    public List<OpenProblem> problems() {
        return problems;
    }

    /** Returns the problems that the admin API reports. Thread-safe. */
    public List<OpenProblem> reported() {
        return problems.stream().limit(MAX_REPORTED).toList();
    }

    /** Looks for problems once. */
    void runOnce() {
        long now = clock.nanos();
        List<DestinationStatus> destinations = node.destinations();
        List<Recent> attempts = window.advance(destinations, now);
        Map<String, Slowdown> slow = serviceTimes.update(destinations, now);
        List<AppStatus> apps = node.apps();
        AppHistory.Recent recentApps = appHistory.update(apps, now);
        NodeSettings settings = node.settings();
        Map<String, String> credentials = settings.destinations().stream()
                .collect(Collectors.toMap(
                        DestinationSettings::name, each -> each.policy().credential()));
        String otherCredential = settings.destinationDefaults().credential();
        List<Problem> found = ProblemDetector.detect(new NodeSnapshot(
                node.status(),
                settings.brokerAddresses(),
                settings.answersTo(),
                settings.deadLettersTo(),
                node.configuration(),
                attempts.stream()
                        .map(each -> new DestinationResults(
                                each.status(),
                                each.ended(),
                                each.errors(),
                                each.seconds(),
                                credentials.getOrDefault(each.status().name(), otherCredential),
                                slow.get(each.status().name())))
                        .toList(),
                node.upstreams(),
                node.sharedCache(),
                apps,
                recentApps.grown(),
                node.unpublishedAnswers(),
                node.tuning(),
                codes.advance(totals.get(), recentApps.mostUnanswered(), now)));
        problems = report(
                tracker.update(found, Instant.ofEpochMilli(clock.wallMillis()), now), busiest(destinations), now);
    }

    /** Returns the causes. A consequence is no cause for a while after its cause is over, because it ends later. */
    private List<OpenProblem> report(List<Tracked<Problem>> tracked, Set<String> busiest, long now) {
        Map<Object, Instant> since =
                tracked.stream().collect(Collectors.toMap(each -> identity(each.problem()), Tracked::since));
        List<Problem> all = tracked.stream().map(Tracked::problem).toList();
        explainedNanos.keySet().retainAll(since.keySet());
        Causes.explained(all, busiest).forEach(each -> explainedNanos.put(identity(each), now));
        List<Problem> lasting =
                all.stream().filter(each -> !isRecentlyExplained(each, now)).toList();
        return Causes.withConsequences(lasting, busiest).stream()
                .map(each -> new OpenProblem(each, since.get(identity(each))))
                .toList();
    }

    private boolean isRecentlyExplained(Problem problem, long now) {
        Long explained = explainedNanos.get(identity(problem));
        return explained != null && explained != now && now - explained < ENDS_AFTER_CAUSE.toNanos();
    }

    private static Object identity(Problem problem) {
        return List.of(problem.kind(), problem.subject());
    }

    /** Returns the destinations that hold half or more of the calls. */
    private static Set<String> busiest(List<DestinationStatus> destinations) {
        long all = destinations.stream()
                .mapToLong(each -> each.inFlight() + (long) each.waiting())
                .sum();
        return destinations.stream()
                .filter(each -> all > 0 && 2L * (each.inFlight() + each.waiting()) >= all)
                .map(DestinationStatus::name)
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        Future<?> started = repeated;
        if (started != null) {
            started.cancel(false);
        }
    }
}
