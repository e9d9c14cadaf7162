package io.iocluster.node.tuning;

import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.tuning.TuningStep.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The status of a node's tuning advisor.
 *
 * @param since time since which the verdict holds
 * @param cpu share of the available cores that the process uses, from 0 to 1; null if unknown
 * @param cpuCeiling the CPU use from which the node counts as full, from 0 to 1
 * @param lag messages that are not settled; null if unknown or stale
 * @param lagTrendPerSecond growth of the lag in messages a second; null if the lag is
 * @param callsPerSecond messages answered a second
 * @param steps the last steps that the node applied itself, oldest first
 * @param stepCounts steps since the start; a kind without steps is absent
 */
public record TuningStatus(
        Mode mode,
        Advice advice,
        Instant since,
        Double cpu,
        double cpuCeiling,
        Long lag,
        Double lagTrendPerSecond,
        double callsPerSecond,
        List<TuningStep> steps,
        Map<Kind, Long> stepCounts) {

    public TuningStatus {
        steps = List.copyOf(steps);
        stepCounts = Map.copyOf(stepCounts);
    }
}
