package io.iocluster.testkit.chaos.invariant;

import io.iocluster.testkit.chaos.ChaosPlan;
import java.util.List;

/**
 * The results of a run, for the invariants to check.
 *
 * @param nodeDeadlineMillis applies to calls without a deadline
 * @param lateMillis how long after its deadline a call may end
 * @param maxAttempts at one call
 * @param openAtTargets HTTP requests that a target still holds
 */
public record Evidence(
        ChaosPlan plan,
        List<CallHistory> calls,
        List<NodeAtRest> nodes,
        RepeatRules rules,
        int nodeDeadlineMillis,
        long lateMillis,
        int maxAttempts,
        int openAtTargets) {

    public Evidence {
        calls = List.copyOf(calls);
        nodes = List.copyOf(nodes);
    }

    /** Returns how many results all calls have beyond the first of each copy sent. */
    public int repeated() {
        return calls.stream()
                .mapToInt(call -> Math.max(0, call.results() - call.copies()))
                .sum();
    }
}
