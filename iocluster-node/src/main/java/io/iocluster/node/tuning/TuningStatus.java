package io.iocluster.node.tuning;

import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.tuning.TuningStep.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a node's advisor says.
 *
 * @param since when it began to say so
 * @param cpu what the process takes of the cores that it may use, from 0 to 1; null if not known
 * @param cpuCeiling beyond which it counts as full
 * @param lag messages not yet settled; null if it is not known or stale
 * @param lagTrendPerSecond by how many it grows a second; null with the lag
 * @param callsPerSecond messages answered a second
 * @param steps the last ones that the node took by itself, the oldest first
 * @param stepCounts how many it took since the start; none: zero
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
