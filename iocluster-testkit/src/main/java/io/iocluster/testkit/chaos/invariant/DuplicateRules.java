package io.iocluster.testkit.chaos.invariant;

import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.ChaosPlan.ScheduledFault;
import io.iocluster.testkit.chaos.Fault;

/**
 * What each fault may repeat, according to {@code docs/guarantees.md}.
 *
 * @param heldByNode the most that one node holds: in flight, unconfirmed and not committed, or the prefetch
 * @param silenceMillis after this silence the broker gives the messages of a node to another one
 * @param repeatsWithBroker whether a lost connection to the broker makes it hand out again what the nodes held
 */
public record DuplicateRules(int maxHeldByNode, int failureDetectionMillis, boolean redeliversOnConnectionLoss) {

    /** A suspension this much shorter than the silence may already count, because a heartbeat is due some time before. */
    private static final int MARGIN_MILLIS = 4_000;

    private static final int NODES = 2;

    /** Returns what the faults of a plan may repeat together. */
    public AllowedDuplicates allowedFor(ChaosPlan plan) {
        return plan.scheduledFaults().stream()
                .map(ScheduledFault::fault)
                .map(this::allowedFor)
                .reduce(AllowedDuplicates.NONE, AllowedDuplicates::plus);
    }

    private AllowedDuplicates allowedFor(Fault fault) {
        if (fault instanceof Fault.KillNode) {
            return ofNode();
        }
        if (fault instanceof Fault.SuspendNode suspend) {
            return isSilent(suspend.millis()) ? ofNode() : AllowedDuplicates.NONE;
        }
        if (fault instanceof Fault.SuspendBroker suspend) {
            return isSilent(suspend.millis()) ? ofBroker() : AllowedDuplicates.NONE;
        }
        boolean disconnects = fault instanceof Fault.RestartBroker
                || fault instanceof Fault.CutConnections
                || fault instanceof Fault.MoveLeader;
        return disconnects ? ofBroker() : AllowedDuplicates.NONE;
    }

    private boolean isSilent(int millis) {
        return millis >= failureDetectionMillis - MARGIN_MILLIS;
    }

    private AllowedDuplicates ofNode() {
        return new AllowedDuplicates(1, 1, maxHeldByNode);
    }

    /** The broker may have stored the answer without confirming it, and it also delivers the message again. */
    private AllowedDuplicates ofBroker() {
        return redeliversOnConnectionLoss
                ? new AllowedDuplicates(1, 2, 2 * NODES * maxHeldByNode)
                : AllowedDuplicates.NONE;
    }
}
