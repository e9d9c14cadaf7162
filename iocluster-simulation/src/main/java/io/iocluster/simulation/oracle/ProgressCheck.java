package io.iocluster.simulation.oracle;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.simulation.broker.SimulatedBroker;
import io.iocluster.simulation.cluster.Cluster;
import io.iocluster.simulation.cluster.SimulatedNode;
import io.iocluster.testkit.simulation.Simulation;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Looks at the nodes repeatedly: their bounds hold, and none idles while there is work. Confined to the thread of the simulation. */
final class ProgressCheck {

    private static final Duration INTERVAL = Duration.ofMillis(100);

    /** The longest backoff of a retry, and a second. */
    private static final long STARVED_MILLIS = 3_000;

    private final Simulation simulation;
    private final Cluster cluster;
    private final SimulatedBroker broker;
    private final ToLongFunction<String> deliveries;
    private final Violations violations;
    private final Map<String, Long> delivered = new HashMap<>();
    private final Map<String, Long> since = new HashMap<>();
    private final Map<String, AttemptTotals> attempts = new HashMap<>();
    private final Set<String> reported = new HashSet<>();

    /**
     * Creates the checks of a run.
     *
     * @param deliveries returns how many messages were delivered to a process
     */
    ProgressCheck(
            Simulation simulation,
            Cluster cluster,
            SimulatedBroker broker,
            ToLongFunction<String> deliveries,
            Violations violations) {
        this.simulation = simulation;
        this.cluster = cluster;
        this.broker = broker;
        this.deliveries = deliveries;
        this.violations = violations;
    }

    void start() {
        simulation.after(INTERVAL, () -> {
            cluster.nodes().forEach(this::check);
            start();
        });
    }

    private void check(SimulatedNode node) {
        PipelineStatus status = node.pipeline().status();
        if (status.inFlight() > cluster.maxInFlightOf(node.name())) {
            violations.add(Promise.LIMIT, node.name() + " has " + status.inFlight() + " calls in flight");
        }
        if (status.inFlightBytes() > status.maxInFlightBytes()) {
            violations.add(Promise.LIMIT, node.name() + " holds " + status.inFlightBytes() + " bytes");
        }
        boolean ready = node.isWorking()
                && status.state() == PipelineState.RUNNING
                && status.source().connected();
        long total = deliveries.applyAsLong(node.name());
        Long before = delivered.put(node.name(), total);
        // Without a share, a full queue may stop the source for some seconds.
        boolean reads = ready
                && node.share().isKnown()
                && before != null
                && before == total
                && broker.readyFor(node.process()) > 0
                && status.waiting() == 0
                && status.inFlight() < status.maxInFlight()
                && status.unconfirmed() == 0
                && status.inFlightBytes() < status.maxInFlightBytes() / 2;
        expect(
                node,
                "messages on the queue and room for them",
                reads,
                broker.maxIdle().toMillis());
        boolean hasRoom = ready && status.inFlight() == 0 && status.unconfirmed() == 0;
        for (DestinationStatus destination : node.pipeline().destinations()) {
            AttemptTotals earlier = attempts.put(node.name() + destination.name(), destination.attempts());
            // Between two samples, a destination with a rate may have started a call that has ended.
            boolean starved = hasRoom
                    && destination.attempts().equals(earlier)
                    && destination.waiting() > 0
                    && destination.breaker() == BreakerState.CLOSED
                    && destination.pausedFor().isZero()
                    && (destination.cluster() == null || destination.cluster().nodes() > 0);
            expect(node, "calls that wait for " + destination.name() + " and a free slot", starved, STARVED_MILLIS);
        }
    }

    private void expect(SimulatedNode node, String what, boolean bad, long within) {
        String key = node.name() + " has " + what;
        if (!bad) {
            since.remove(key);
        } else if (simulation.millis() - since.computeIfAbsent(key, first -> simulation.millis()) > within
                && reported.add(key)) {
            violations.add(Promise.PROGRESS, key + " for " + within + " ms");
        }
    }
}
