package io.iocluster.testkit.chaos;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The calls and faults of one run, generated from its seed.
 *
 * @param steps in the order of their times
 * @param calls in the order of their times
 */
public record ChaosPlan(long seed, List<ScheduledFault> scheduledFaults, List<PlannedCall> calls) {

    public ChaosPlan {
        scheduledFaults = List.copyOf(scheduledFaults);
        calls = List.copyOf(calls);
    }

    /** A fault, and when it begins, counted from the plan's start. */
    public record ScheduledFault(int startMillis, Fault fault) {}

    /** Returns whether the plan has a fault of this type. */
    public boolean hasFault(Class<? extends Fault> type) {
        return scheduledFaults.stream().anyMatch(step -> type.isInstance(step.fault()));
    }

    /** Returns the faults, one a line, for reports. */
    public String describe() {
        return scheduledFaults.stream()
                .map(step -> String.format("%6d ms  %s", step.startMillis(), step.fault()))
                .collect(Collectors.joining("\n"));
    }
}
