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
 * @param inFlight calls in flight
 * @param waiting calls in the wait queues of their destinations
 * @param unconfirmed calls whose answers the broker has not confirmed
 * @param slots limit of calls in flight
 * @param threads event loops
 * @param cpu share of the available cores that the process uses, from 0 to 1; NaN if unknown
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
    long backlog() {
        return Math.max(0, lag - inFlight - waiting - unconfirmed);
    }

    /** Returns the share of the held calls that are for saturated destinations, from 0 to 1. */
    double saturatedRatio() {
        int held = saturated.stream().mapToInt(SaturatedDestination::calls).sum();
        return held == 0 ? 0 : (double) held / Math.max(held, inFlight + waiting);
    }
}
