package io.iocluster.node.tuning;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.tuning.CpuSampler.CpuUsage;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.PipelineStatus.WorkerStatus;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Makes observations from what a node knows of itself anyway. Used by one thread. */
final class NodeSampler {

    /** What is used up by so much is in the way. */
    private static final double FULL = 0.95;

    private final CpuSampler meter = new CpuSampler();
    private final TunedNode node;

    NodeSampler(TunedNode node) {
        this.node = node;
    }

    Observation sample(long nanos) {
        PipelineStatus status = node.status();
        CpuUsage cpu =
                meter.sample(status.workers().stream().map(WorkerStatus::name).toList());
        return observe(nanos, node.settings(), status, node.destinations(), node.acknowledgedCount(), cpu);
    }

    static Observation observe(
            long nanos,
            NodeSettings settings,
            PipelineStatus status,
            List<DestinationStatus> destinations,
            long answered,
            CpuUsage cpu) {
        Map<String, DestinationPolicy> policies = settings.destinations().stream()
                .collect(Collectors.toMap(DestinationSettings::name, DestinationSettings::policy));
        DestinationPolicy others = settings.destinationDefaults();
        List<SaturatedDestination> strained = destinations.stream()
                .map(each -> SaturatedDestination.of(each, policies.getOrDefault(each.name(), others)))
                .filter(Objects::nonNull)
                .toList();
        int free = status.maxInFlight() - status.inFlight();
        boolean starved = destinations.stream()
                .anyMatch(each -> isStarved(each, policies.getOrDefault(each.name(), others), free));
        return new Observation(
                nanos,
                halted(status),
                lag(status.source()),
                answered,
                status.inFlight(),
                status.waiting(),
                status.unconfirmed(),
                status.maxInFlight(),
                status.workers().size(),
                cpu.process(),
                cpu.worker(),
                bound(status, settings),
                starved,
                strained);
    }

    /** One with a line that could begin more, had it more of the node's places: see {@code destination-defaults.borrow-factor}. */
    private static boolean isStarved(DestinationStatus each, DestinationPolicy policy, int free) {
        return each.waiting() > 0
                && SaturatedDestination.of(each, policy) == null
                && each.inFlight() >= (long) policy.borrowFactor() * free;
    }

    /** What other nodes hold is in their hands, and waits for none. */
    private static Long lag(SourceStatus source) {
        List<Lag> lags = source.lags();
        boolean isKnown = source.connected() && !lags.isEmpty() && lags.stream().noneMatch(Lag::stale);
        return isKnown
                ? (Long) lags.stream()
                        .mapToLong(lag -> lag.messages() - lag.heldByOtherConsumers())
                        .sum()
                : null;
    }

    private static String halted(PipelineStatus status) {
        SourceStatus source = status.source();
        if (status.state() != PipelineState.RUNNING || source.pauseReasons().contains(PauseReason.DRAIN)) {
            String state = status.state() == PipelineState.RUNNING
                    ? "draining"
                    : status.state().wireName();
            return "nothing is read: the node is " + state;
        }
        if (source.pauseReasons().contains(PauseReason.OPERATOR)) {
            return "nothing is read: an operator paused the node";
        }
        return source.connected() ? null : "nothing is read: " + source.problem();
    }

    private static String bound(PipelineStatus status, NodeSettings settings) {
        if (status.source().pauseReasons().contains(PauseReason.BACKOFF)) {
            return "answers cannot be published; the node's log says why";
        }
        if (status.source().pauseReasons().contains(PauseReason.BROKER_BLOCKED)) {
            return "the broker is short of memory or disk and takes no messages";
        }
        if (status.inFlightBytes() >= FULL * status.maxInFlightBytes()) {
            return "calls hold " + (status.inFlightBytes() >> 20)
                    + " MiB, as much as workers.max-in-flight-bytes allows:" + " raise that, and the heap with it";
        }
        int most = settings.workers().maxUnconfirmed();
        return status.unconfirmed() < FULL * most
                ? null
                : status.unconfirmed() + " answers wait for the broker to confirm them, of at most " + most
                        + " (workers.max-unconfirmed): look at the broker";
    }
}
