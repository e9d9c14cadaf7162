package io.iocluster.simulation.oracle;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.simulation.broker.SimulatedBroker;
import io.iocluster.simulation.cluster.Cluster;
import io.iocluster.simulation.cluster.Fault;
import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.cluster.SimulatedNode;
import io.iocluster.simulation.cluster.SimulatedTargets;
import io.iocluster.simulation.network.Attempt;
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

    private static final long STARVED_MILLIS = 1_000;

    /** The longest backoff of a retry, and the longest pause that a target asks for. */
    private static final long LONGEST_BACKOFF_MILLIS = 2_000;

    private final Schedule schedule;
    private final Simulation simulation;
    private final Cluster cluster;
    private final SimulatedBroker broker;
    private final ToLongFunction<String> deliveries;
    private final Violations violations;
    private final Map<String, Long> delivered = new HashMap<>();
    private final Map<String, Long> since = new HashMap<>();
    private final Map<String, AttemptTotals> attempts = new HashMap<>();
    /** Until when the calls of a process to a host may wait for their next attempt. */
    private final Map<String, Long> retriesUntil = new HashMap<>();

    private final Set<String> reported = new HashSet<>();

    /**
     * Creates the checks of a run.
     *
     * @param deliveries returns how many messages were delivered to a process
     */
    ProgressCheck(
            Schedule schedule,
            Simulation simulation,
            Cluster cluster,
            SimulatedBroker broker,
            ToLongFunction<String> deliveries,
            Violations violations) {
        this.schedule = schedule;
        this.simulation = simulation;
        this.cluster = cluster;
        this.broker = broker;
        this.deliveries = deliveries;
        this.violations = violations;
    }

    /** An attempt has failed, so its call may wait for a retry. */
    void failed(Attempt attempt) {
        long until = simulation.millis() + LONGEST_BACKOFF_MILLIS;
        retriesUntil.merge(key(attempt.node(), attempt.host()), until, Math::max);
    }

    /** A process has read a delayed retry, which it starts when it is due by its clock. */
    void readDelayed(CallHistory call, String node) {
        long until = schedule.has(Fault.Kind.STEP_CLOCK) ? Long.MAX_VALUE : call.lastDueMillis();
        call.planned().hosts().forEach(host -> retriesUntil.merge(key(node, host), until, Math::max));
    }

    private static String key(String node, String host) {
        return node + " " + host;
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
        boolean hasRoom = ready
                && status.inFlight() < status.maxInFlight()
                && status.unconfirmed() < schedule.size().maxUnconfirmed()
                && status.inFlightBytes() < status.maxInFlightBytes() / 2;
        for (DestinationStatus destination : node.pipeline().destinations()) {
            String host = destination.name().split(":")[0];
            String key = key(node.name(), host);
            AttemptTotals earlier = attempts.put(key, destination.attempts());
            // Between two samples, a destination with a rate may have started a call that has ended.
            boolean starved = hasRoom
                    && !SimulatedTargets.SILENT.contains(host)
                    && destination.attempts().equals(earlier)
                    && destination.inFlight() == 0
                    && destination.waiting() > 0
                    && simulation.millis() > retriesUntil.getOrDefault(key, 0L)
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
