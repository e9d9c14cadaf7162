package io.iocluster.testkit.chaos;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The calls and faults of one run, generated from its seed. Immutable.
 *
 * @param scheduledFaults ordered by start time
 * @param calls ordered by send time
 */
public record ChaosPlan(long seed, List<ScheduledFault> scheduledFaults, List<PlannedCall> calls) {

    public ChaosPlan {
        scheduledFaults = List.copyOf(scheduledFaults);
        calls = List.copyOf(calls);
    }

    /** A fault with its start time, in milliseconds from the plan's start. */
    public record ScheduledFault(int startMillis, Fault fault) {}

    /** Returns whether the plan has a fault of this type. */
    public boolean hasFault(Class<? extends Fault> type) {
        return scheduledFaults.stream().anyMatch(scheduled -> type.isInstance(scheduled.fault()));
    }

    /** Returns the kinds of its faults. */
    public Set<FaultKind> faultKinds() {
        return scheduledFaults.stream()
                .map(scheduled -> scheduled.fault().kind())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(FaultKind.class)));
    }

    /** Returns the faults, one per line, for reports. */
    public String describe() {
        return scheduledFaults.stream()
                .map(scheduled -> String.format("%6d ms  %s", scheduled.startMillis(), scheduled.fault()))
                .collect(Collectors.joining("\n"));
    }
}
