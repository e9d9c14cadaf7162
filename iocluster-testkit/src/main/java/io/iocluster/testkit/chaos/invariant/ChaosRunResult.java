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
public record ChaosRunResult(
        ChaosPlan plan,
        List<CallHistory> calls,
        List<IdleNodeStatus> nodes,
        DuplicateRules duplicateRules,
        int nodeDeadlineMillis,
        long toleranceMillis,
        int maxAttempts,
        int openRequests) {

    public ChaosRunResult {
        calls = List.copyOf(calls);
        nodes = List.copyOf(nodes);
    }

    /** Returns how many results all calls have beyond the first of each copy sent. */
    public int duplicates() {
        return calls.stream()
                .mapToInt(call -> Math.max(0, call.resultCount() - call.messagesSent()))
                .sum();
    }
}
