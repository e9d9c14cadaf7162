package io.iocluster.node.tuning;

import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.tuning.TuningStep.Kind;
import io.iocluster.status.StatusField;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The status of a node's tuning advisor.
 *
 * @param since time since which the verdict holds
 * @param steps oldest first
 * @param stepCounts steps since the start; a kind without steps is absent
 */
public record TuningStatus(
        @StatusField Mode mode,
        @StatusField(inline = true) Advice advice,
        @StatusField Instant since,

        @StatusField(nullable = true, decimals = 3, doc = "share of all cores, 0 to 1; null if unknown")
        Double cpu,

        @StatusField(doc = "`tuning.cpu-ceiling`, 0 to 1") double cpuCeiling,

        @StatusField(
                nullable = true,
                doc = "unsettled messages that no other node is known to hold; null if unknown or stale")
        Long lag,

        @StatusField(
                nullable = true,
                decimals = 3,
                min = Double.NEGATIVE_INFINITY,
                doc = "negative while the lag falls; null if unknown")
        Double lagTrendPerSecond,

        @StatusField(decimals = 3, doc = "calls that ended") double callsPerSecond,

        @StatusField(doc = "the latest changes by `tuning.mode: auto`")
        List<TuningStep> steps,

        Map<Kind, Long> stepCounts) {

    public TuningStatus {
        steps = List.copyOf(steps);
        stepCounts = Map.copyOf(stepCounts);
    }
}
