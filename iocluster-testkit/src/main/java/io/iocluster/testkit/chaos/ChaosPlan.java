package io.iocluster.testkit.chaos;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The calls and faults of one run, generated from its seed.
 *
 * @param steps in the order of their times
 * @param calls in the order of their times
 */
public record ChaosPlan(long seed, List<Step> steps, List<PlannedCall> calls) {

    public ChaosPlan {
        steps = List.copyOf(steps);
        calls = List.copyOf(calls);
    }

    /** A fault, and when it begins, counted from the plan's start. */
    public record Step(int atMillis, Fault fault) {}

    /** Returns whether the plan has a fault of this type. */
    public boolean has(Class<? extends Fault> type) {
        return steps.stream().anyMatch(step -> type.isInstance(step.fault()));
    }

    /** Returns the faults, one a line, for reports. */
    public String describe() {
        return steps.stream()
                .map(step -> String.format("%6d ms  %s", step.atMillis(), step.fault()))
                .collect(Collectors.joining("\n"));
    }
}
