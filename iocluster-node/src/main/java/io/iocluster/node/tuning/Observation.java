package io.iocluster.node.tuning;

import java.util.List;

/**
 * The load of a node, or of all nodes of a cluster together, at one moment.
 *
 * @param nodes number of nodes; 1 for a single one
 * @param nanos time on a monotonic clock
 * @param stopReason why nothing is read, for operators; null if messages are read
 * @param lag messages that are not settled and that no further node holds; null if unknown
 * @param acknowledged messages acknowledged since the start
 * @param notMade how many of their calls were not made, because they waited for too long
 * @param inFlight calls in flight
 * @param waiting calls in the wait queues of their destinations
 * @param unconfirmed calls whose answers the broker has not confirmed
 * @param slots limit of calls in flight
 * @param threads event loops
 * @param cpu used share of the available cores, also by other processes of the machine or container, from 0 to 1; NaN if unknown
 * @param workerCpu share of a core that an event loop uses on average, from 0 to 1; NaN if unknown
 * @param bottleneck what is used up other than slots, for operators; null if nothing is
 * @param shareLimited whether calls wait because the shares of their destinations are used up, although slots are free
 * @param saturated destinations that accept no more calls
 */
public record Observation(
        int nodes,
        long nanos,
        String stopReason,
        Long lag,
        long acknowledged,
        long notMade,
        int inFlight,
        int waiting,
        int unconfirmed,
        int slots,
        int threads,
        double cpu,
        double workerCpu,
        String bottleneck,
        boolean shareLimited,
        List<SaturatedDestination> saturated) {

    private static final double FULL_RATIO = 0.9;

    public Observation {
        saturated = List.copyOf(saturated);
    }

    /** Returns whether the slots are used up. */
    boolean isFull() {
        return shareLimited || inFlight >= FULL_RATIO * slots;
    }

    /** Returns the messages that no node has read: the lag without what this node holds. */
    long unread() {
        return Math.max(0, lag - inFlight - waiting - unconfirmed);
    }

    /** Returns the messages whose calls wait for a slot, in the broker or in the node. Leaves out those that wait for saturated destinations. */
    long backlog() {
        return unread() + Math.max(0, waiting - saturatedCalls());
    }

    private int saturatedCalls() {
        return saturated.stream().mapToInt(SaturatedDestination::calls).sum();
    }

    /** Returns the share of the held calls that are for saturated destinations, from 0 to 1. */
    double saturatedRatio() {
        int held = saturatedCalls();
        return held == 0 ? 0 : (double) held / Math.max(held, inFlight + waiting);
    }
}
