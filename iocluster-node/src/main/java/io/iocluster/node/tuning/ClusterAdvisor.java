package io.iocluster.node.tuning;

import io.iocluster.node.config.TuningSettings;
import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.tuning.TuningPolicy.Evaluation;
import io.iocluster.status.StatusField;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Evaluates what limits all nodes of a cluster together, with the policy of the {@link Advisor}: their observations are combined
 * into one. Confined to one thread.
 */
public final class ClusterAdvisor {

    private static final int MAX_SLOTS = 1_000_000;
    private static final int MAX_THREADS = 1_024;

    private final TuningPolicy policy = new TuningPolicy();
    private final AdviceDebouncer debouncer;
    private Map<String, Long> acknowledgedByNode = Map.of();
    private long acknowledged;

    /**
     * The latest observation of a node.
     *
     * @param instance identifies the process, because its counts restart with it
     * @param lagIsShared whether all nodes report the same queue, and not each its own partitions
     */
    public record NodeObservation(String instance, boolean lagIsShared, Observation observation) {}

    /**
     * Advice for the whole cluster.
     *
     * @param advice its sizes are those of all nodes together
     * @param nodes number of nodes that read, at least 1
     */
    public record ClusterAdvice(
            Advice advice, int nodes, @StatusField Instant since) {

        @StatusField
        Verdict verdict() {
            return advice.verdict();
        }

        @StatusField(nullable = true, doc = "calls in flight of each node that it advises; null for no advice")
        Integer maxInFlightPerNode() {
            return perNode(advice.maxInFlight());
        }

        @StatusField(nullable = true, doc = "null for no advice")
        Integer threadsPerNode() {
            return perNode(advice.threads());
        }

        @StatusField(nullable = true, doc = "approximate number; null for no advice")
        Integer additionalNodes() {
            return advice.additionalNodes();
        }

        @StatusField(doc = "for operators")
        String reason() {
            return advice.reason();
        }

        private Integer perNode(Integer total) {
            return total == null ? null : (Integer) ((total + nodes - 1) / nodes);
        }
    }

    public ClusterAdvisor(Clock clock) {
        this.debouncer = new AdviceDebouncer(clock);
    }

    /**
     * Adds one observation of each node and returns the advice. Call it in regular intervals.
     *
     * @param nodes at least one
     * @param settings of one node
     */
    public ClusterAdvice evaluate(List<NodeObservation> nodes, TuningSettings settings, long nanos) {
        if (settings.mode() == Mode.OFF) {
            policy.reset();
            return advice(new Evaluation(Advice.hold("tuning.mode is off"), null, false), nodes.size());
        }
        Observation all = combine(nodes, nanos);
        return advice(policy.evaluate(all, forAll(settings, all.nodes())), all.nodes());
    }

    private ClusterAdvice advice(Evaluation evaluation, int nodes) {
        Advice advice = debouncer.update(evaluation);
        return new ClusterAdvice(advice, nodes, debouncer.since());
    }

    private static TuningSettings forAll(TuningSettings one, int nodes) {
        return new TuningSettings(
                one.mode(),
                (int) Math.min(MAX_SLOTS, (long) one.maxInFlight() * nodes),
                (int) Math.min(MAX_THREADS, (long) one.effectiveMaxThreads() * nodes),
                one.cpuCeiling(),
                one.toleratedLag(),
                one.catchUp(),
                one.window());
    }

    private Observation combine(List<NodeObservation> nodes, long nanos) {
        List<Observation> all = nodes.stream().map(NodeObservation::observation).toList();
        List<Observation> reading =
                all.stream().filter(each -> each.stopReason() == null).toList();
        // A node that does not read has free slots and an idle CPU, which do not help the others.
        List<Observation> able = reading.isEmpty() ? all : reading;
        return new Observation(
                able.size(),
                nanos,
                stopReason(all),
                lag(nodes),
                countAcknowledged(nodes),
                0,
                sum(all, Observation::inFlight),
                sum(all, Observation::waiting),
                sum(all, Observation::unconfirmed),
                sum(able, Observation::slots),
                sum(able, Observation::threads),
                mean(able, Observation::cpu),
                mean(able, Observation::workerCpu),
                bottleneck(able),
                able.stream().filter(Observation::isFull).count() * 2 > able.size(),
                saturated(able));
    }

    private static String stopReason(List<Observation> all) {
        List<String> reasons = all.stream()
                .map(Observation::stopReason)
                .filter(Objects::nonNull)
                .toList();
        return reasons.size() < all.size() ? null : "no node reads: " + reasons.get(0);
    }

    /** Returns the lag of all nodes; null if a node that reads does not know its lag. */
    private static Long lag(List<NodeObservation> nodes) {
        long lag = 0;
        long sharedBacklog = 0;
        boolean isKnown = false;
        for (NodeObservation node : nodes) {
            Observation each = node.observation();
            if (each.lag() == null && each.stopReason() == null) {
                return null;
            }
            if (each.lag() == null) {
                continue;
            }
            isKnown = true;
            if (node.lagIsShared()) {
                lag += each.lag() - each.unread();
                sharedBacklog = Math.max(sharedBacklog, each.unread());
            } else {
                lag += each.lag();
            }
        }
        return isKnown ? (Long) (lag + sharedBacklog) : null;
    }

    /** Returns a count that neither jumps when a node joins nor falls when one leaves. */
    private long countAcknowledged(List<NodeObservation> nodes) {
        Map<String, Long> now = new HashMap<>();
        for (NodeObservation node : nodes) {
            long count = node.observation().acknowledged();
            long before = acknowledgedByNode.getOrDefault(node.instance(), count);
            acknowledged += Math.max(0, count - before);
            now.put(node.instance(), count);
        }
        acknowledgedByNode = now;
        return acknowledged;
    }

    /** Saturates, because the figures of other nodes are untrusted. */
    private static int sum(List<Observation> all, ToIntFunction<Observation> figure) {
        return (int) Math.min(
                Integer.MAX_VALUE, all.stream().mapToLong(figure::applyAsInt).sum());
    }

    private static double mean(List<Observation> all, ToDoubleFunction<Observation> figure) {
        return all.stream()
                .mapToDouble(figure)
                .filter(value -> !Double.isNaN(value))
                .average()
                .orElse(Double.NaN);
    }

    private static String bottleneck(List<Observation> all) {
        List<String> bottlenecks = all.stream()
                .map(Observation::bottleneck)
                .filter(Objects::nonNull)
                .toList();
        return bottlenecks.size() * 2 > all.size()
                ? bottlenecks.size() + " of " + all.size() + " nodes: " + bottlenecks.get(0)
                : null;
    }

    /** Returns each destination once, with the calls of all nodes and the reason of the node that has most of them. */
    private static List<SaturatedDestination> saturated(List<Observation> all) {
        Map<String, List<SaturatedDestination>> byName = all.stream()
                .flatMap(each -> each.saturated().stream())
                .collect(Collectors.groupingBy(SaturatedDestination::destination));
        return byName.entrySet().stream()
                .map(each -> new SaturatedDestination(
                        each.getKey(),
                        each.getValue().stream()
                                .max(Comparator.comparingInt(SaturatedDestination::calls))
                                .map(SaturatedDestination::reason)
                                .orElseThrow(),
                        (int) Math.min(
                                Integer.MAX_VALUE,
                                each.getValue().stream()
                                        .mapToLong(SaturatedDestination::calls)
                                        .sum())))
                .sorted(Comparator.comparingInt(SaturatedDestination::calls).reversed())
                .toList();
    }
}
