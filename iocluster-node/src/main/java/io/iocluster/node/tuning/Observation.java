package io.iocluster.node.tuning;

import java.util.List;

/**
 * A node as it stood at one moment.
 *
 * @param nanos when, on a clock that only goes forward
 * @param halted why nothing is read, for people; null if it is
 * @param lag messages not yet settled that no other node holds; null if that is not known now
 * @param answered messages acknowledged since the start
 * @param calls open
 * @param waiting calls that wait for their turn at a destination
 * @param unconfirmed calls whose answers the broker has not confirmed
 * @param places most calls open at once
 * @param threads event loops
 * @param cpu what the process takes of the cores that it may use, from 0 to 1; NaN if not known
 * @param workerCpu what the event loops take of a core each, on average, from 0 to 1; NaN if not known
 * @param bound what else than places is used up, for people; null if nothing is
 * @param starved whether calls wait for places that their destinations' shares do not give them
 * @param strained destinations that take no more
 */
record Observation(
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

    private static final double FULL = 0.9;

    Observation {
        saturated = List.copyOf(saturated);
    }

    /** Whether the places are used up. */
    boolean isFull() {
        return shareLimited || inFlight >= FULL * slots;
    }

    /** Messages that nobody has begun with: the lag without what the node holds. */
    long backlog() {
        return Math.max(0, lag - inFlight - waiting - unconfirmed);
    }

    /** What part of all calls that the node holds is for destinations that take no more. */
    double saturatedRatio() {
        int held = saturated.stream().mapToInt(SaturatedDestination::calls).sum();
        return held == 0 ? 0 : (double) held / Math.max(held, inFlight + waiting);
    }
}
