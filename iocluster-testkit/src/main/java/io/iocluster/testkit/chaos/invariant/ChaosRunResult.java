package io.iocluster.testkit.chaos.invariant;

import io.iocluster.testkit.chaos.ChaosPlan;
import java.util.List;

/**
 * The results of a run, for {@link Invariants}. Immutable.
 *
 * @param nodeDeadlineMillis the deadline of calls without their own
 * @param toleranceMillis how long after its deadline a call may end
 * @param maxAttempts maximum number of attempts of one call
 * @param openRequests number of HTTP requests that the targets have not answered
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

    /** Returns the number of results of all calls beyond one for each message sent. */
    public int duplicates() {
        return calls.stream().mapToInt(CallHistory::duplicates).sum();
    }
}
