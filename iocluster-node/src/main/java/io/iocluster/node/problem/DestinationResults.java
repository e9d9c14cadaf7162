package io.iocluster.node.problem;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.problem.ServiceTimes.Slowdown;

/**
 * A destination and the results of its attempts of the last minute. Immutable.
 *
 * @param ended attempts that ended in that time
 * @param errors how many of them were errors
 * @param seconds how long that time is
 * @param credential name of the destination's credential; empty if it has none
 * @param slowdown null if its attempts take about as long as usual
 */
record DestinationResults(
        DestinationStatus status, long ended, long errors, double seconds, String credential, Slowdown slowdown) {

    /** Returns the share of the attempts that were errors, from 0 to 1. */
    double errorShare() {
        return ended == 0 ? 0 : (double) errors / ended;
    }
}
