package io.iocluster.testkit.chaos.invariant;

import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.ChaosPlan.ScheduledFault;
import io.iocluster.testkit.chaos.Fault;
import io.iocluster.testkit.chaos.PlannedCall;

/**
 * The duplicates that each fault may cause, according to {@code docs/guarantees.md}. Immutable.
 *
 * @param maxHeldByNode maximum number of messages that one node holds: in flight, unconfirmed and uncommitted, or the
 *     prefetch
 * @param failureDetectionMillis time without a heartbeat after which the broker redelivers a node's messages to another
 *     one
 * @param redeliversOnConnectionLoss whether the broker redelivers the messages of a node that loses its connection
 * @param heartbeatsFollowWallClock whether a node sends no heartbeats while its wall clock shows times again
 * @param movesPartitions whether the broker moves partitions away from a live node when another one joins
 */
public record DuplicateRules(
        int maxHeldByNode,
        int failureDetectionMillis,
        boolean redeliversOnConnectionLoss,
        boolean heartbeatsFollowWallClock,
        boolean movesPartitions) {

    /** A suspension shorter by this much may already be detected, because the last heartbeat may be that old. */
    private static final int MARGIN_MILLIS = 4_000;

    private static final int NODES = 2;

    /** Returns the rules of a consumer group, whose broker detects a failed member by its missing heartbeats. */
    public static DuplicateRules forKafka(int maxHeldByNode, int sessionTimeoutMillis) {
        return new DuplicateRules(maxHeldByNode, sessionTimeoutMillis, false, true, true);
    }

    /** Returns the rules of queues, whose broker redelivers the messages of a lost connection. */
    public static DuplicateRules forRabbit(int prefetch, int heartbeatMillis) {
        return new DuplicateRules(prefetch, heartbeatMillis, true, false, false);
    }

    /** Returns the duplicates that all faults of a plan may cause together. */
    public AllowedDuplicates allowedFor(ChaosPlan plan) {
        // A node cannot commit if the broker is down until its drain times out.
        boolean stopsWithoutBroker = !redeliversOnConnectionLoss && plan.hasFault(Fault.RestartBroker.class);
        return plan.scheduledFaults().stream()
                .map(ScheduledFault::fault)
                .map(fault ->
                        stopsWithoutBroker && fault instanceof Fault.TerminateNode ? forNode() : allowedFor(fault))
                .reduce(AllowedDuplicates.NONE, AllowedDuplicates::plus);
    }

    /**
     * Returns whether a call may be made and answered once more than {@link #allowedFor} says. Its answer waits while its reply-to is
     * missing. If its partition moves meanwhile, the wait outlasts the time that the old owner has to release the partition.
     */
    public boolean mayOutlastRevocation(ChaosPlan plan, PlannedCall call) {
        return movesPartitions
                && call.usesReplyTo()
                && plan.hasFault(Fault.DeleteReplyTo.class)
                && plan.scheduledFaults().stream().map(ScheduledFault::fault).anyMatch(this::changesMembers);
    }

    /** Returns whether a node or consumer joins the group, so that a live node gives away partitions. */
    private boolean changesMembers(Fault fault) {
        return switch (fault.kind()) {
            case KILL_NODE, TERMINATE_NODE, ADD_NODE, CHURN_CONSUMERS -> true;
            case SUSPEND_NODE,
                    STEP_CLOCK,
                    RESIZE_NODE,
                    EDIT_CONFIGURATION,
                    RESTART_BROKER,
                    SUSPEND_BROKER,
                    CUT_CONNECTIONS,
                    MOVE_LEADER,
                    DELETE_REPLY_TO,
                    CHANGE_CALL_MIX -> !allowedFor(fault).equals(AllowedDuplicates.NONE);
        };
    }

    private AllowedDuplicates allowedFor(Fault fault) {
        return switch (fault.kind()) {
            case KILL_NODE -> forNode();
            case SUSPEND_NODE -> isDetected(((Fault.SuspendNode) fault).millis()) ? forNode() : AllowedDuplicates.NONE;
            case STEP_CLOCK ->
                heartbeatsFollowWallClock && isDetected(((Fault.StepClock) fault).repeatedMillis())
                        ? forNode()
                        : AllowedDuplicates.NONE;
            case SUSPEND_BROKER ->
                isDetected(((Fault.SuspendBroker) fault).millis()) ? forBroker() : AllowedDuplicates.NONE;
            case CUT_CONNECTIONS -> forOneNodeAfterAnother();
            case RESTART_BROKER, MOVE_LEADER -> forBroker();
            case TERMINATE_NODE,
                    RESIZE_NODE,
                    EDIT_CONFIGURATION,
                    CHURN_CONSUMERS,
                    ADD_NODE,
                    DELETE_REPLY_TO,
                    CHANGE_CALL_MIX -> AllowedDuplicates.NONE;
        };
    }

    private boolean isDetected(int millis) {
        return millis >= failureDetectionMillis - MARGIN_MILLIS;
    }

    private AllowedDuplicates forNode() {
        return new AllowedDuplicates(1, 1, maxHeldByNode);
    }

    /** Allows two answers: the broker may have stored one without confirming it, and it also redelivers the message. */
    private AllowedDuplicates forBroker() {
        return redeliversOnConnectionLoss
                ? new AllowedDuplicates(1, 2, 2 * NODES * maxHeldByNode)
                : AllowedDuplicates.NONE;
    }

    /**
     * Allows what {@link #forBroker} allows once for each node, because the broker closes the connections one after another: the second
     * node may have the message of the first before it loses its own connection. All calls together hold no more messages because of it.
     */
    private AllowedDuplicates forOneNodeAfterAnother() {
        AllowedDuplicates together = forBroker();
        return new AllowedDuplicates(NODES * together.executions(), NODES * together.answers(), together.total());
    }
}
