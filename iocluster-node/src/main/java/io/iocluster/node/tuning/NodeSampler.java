package io.iocluster.node.tuning;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.tuning.CpuSampler.CpuUsage;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.PipelineStatus.WorkerStatus;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Builds observations from the node's status. Confined to the advisor's thread. */
final class NodeSampler {

    /** Share of a limit from which it counts as the bottleneck. */
    private static final double BOTTLENECK_RATIO = 0.95;

    private final CpuSampler cpuSampler = new CpuSampler();
    private final TunedNode node;

    NodeSampler(TunedNode node) {
        this.node = node;
    }

    Observation sample(long nanos) {
        PipelineStatus status = node.status();
        CpuUsage cpu = cpuSampler.sample(
                status.workers().stream().map(WorkerStatus::name).toList(), nanos);
        return observe(
                nanos,
                node.settings(),
                status,
                node.destinations(),
                node.acknowledgedCount(),
                node.notMadeCount(),
                cpu);
    }

    static Observation observe(
            long nanos,
            NodeSettings settings,
            PipelineStatus status,
            List<DestinationStatus> destinations,
            long acknowledged,
            long notMade,
            CpuUsage cpu) {
        Map<String, DestinationPolicy> policies = settings.destinations().stream()
                .collect(Collectors.toMap(DestinationSettings::name, DestinationSettings::policy));
        DestinationPolicy others = settings.destinationDefaults();
        List<SaturatedDestination> saturated = destinations.stream()
                .map(SaturatedDestination::of)
                .filter(Objects::nonNull)
                .toList();
        int free = status.maxInFlight() - status.inFlight();
        boolean shareLimited = destinations.stream()
                .anyMatch(each -> isShareLimited(each, policies.getOrDefault(each.name(), others), free));
        return new Observation(
                1,
                nanos,
                status.stopReason(),
                lag(status.source()),
                acknowledged,
                notMade,
                status.inFlight(),
                status.waiting(),
                status.unconfirmed(),
                status.maxInFlight(),
                status.workers().size(),
                // A node that resizes itself measures each step and undoes it if it does not help.
                settings.tuning().mode() == Mode.AUTO ? cpu.process() : cpu.machine(),
                cpu.worker(),
                bottleneck(status, settings),
                shareLimited,
                saturated);
    }

    /**
     * Returns whether the destination would start more calls if it got more of the node's slots: see {@code
     * destination-defaults.borrow-factor}.
     */
    private static boolean isShareLimited(DestinationStatus each, DestinationPolicy policy, int free) {
        return each.waiting() > 0
                && SaturatedDestination.of(each) == null
                && each.inFlight() >= (long) policy.borrowFactor() * free;
    }

    /** Returns the lag without the messages that other nodes hold; null if it is unknown or stale. */
    private static Long lag(SourceStatus source) {
        List<Lag> lags = source.lags();
        boolean isKnown = source.connected() && !lags.isEmpty() && lags.stream().noneMatch(Lag::stale);
        return isKnown
                ? (Long) lags.stream()
                        .mapToLong(lag -> lag.messages() - lag.heldByOtherConsumers())
                        .sum()
                : null;
    }

    private static String bottleneck(PipelineStatus status, NodeSettings settings) {
        if (status.source().pauseReasons().contains(PauseReason.BACKOFF)) {
            return "answers cannot be published; see the node's log";
        }
        if (status.source().pauseReasons().contains(PauseReason.BROKER_BLOCKED)) {
            return "the broker is short of memory or disk and takes no messages";
        }
        if (status.inFlightBytes() >= BOTTLENECK_RATIO * status.maxInFlightBytes()) {
            return "calls hold " + (status.inFlightBytes() >> 20)
                    + " MiB, as much as workers.max-in-flight-bytes allows: raise it together with the heap";
        }
        int limit = settings.workers().maxUnconfirmed();
        return status.unconfirmed() < BOTTLENECK_RATIO * limit
                ? null
                : status.unconfirmed() + " answers wait for the broker to confirm them, of at most " + limit
                        + " (workers.max-unconfirmed): check the broker";
    }
}
