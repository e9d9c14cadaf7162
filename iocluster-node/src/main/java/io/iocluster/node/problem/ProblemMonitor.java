package io.iocluster.node.problem;

import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.window.AttemptWindow;
import io.iocluster.node.window.AttemptWindow.Recent;
import io.iocluster.node.window.CodeTotals;
import io.iocluster.status.StatusField;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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

    private final MonitoredNode node;
    private final Supplier<CodeTotals> totals;
    private final NodeClock clock;
    private final AttemptWindow window;
    private final CodeWindow codes;
    private final ProblemTracker tracker = new ProblemTracker();
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
        List<Recent> attempts = window.advance(node.destinations(), clock.nanos());
        NodeSettings settings = node.settings();
        Map<String, String> credentials = settings.destinations().stream()
                .collect(Collectors.toMap(
                        DestinationSettings::name, each -> each.policy().credential()));
        String otherCredential = settings.destinationDefaults().credential();
        List<Problem> found = ProblemDetector.detect(new NodeSnapshot(
                node.status(),
                settings.brokerAddresses(),
                node.configuration(),
                attempts.stream()
                        .map(each -> new DestinationResults(
                                each.status(),
                                each.ended(),
                                each.errors(),
                                credentials.getOrDefault(each.status().name(), otherCredential)))
                        .toList(),
                node.upstreams(),
                node.sharedCache(),
                node.apps(),
                codes.advance(totals.get(), clock.nanos())));
        problems = tracker.update(found, Instant.ofEpochMilli(clock.wallMillis()), clock.nanos());
    }

    @Override
    public void close() {
        Future<?> started = repeated;
        if (started != null) {
            started.cancel(false);
        }
    }
}
