package io.iocluster.node.problem;

import io.iocluster.destination.DestinationStatus;

/**
 * A destination and the results of its attempts of the last minute. Immutable.
 *
 * @param ended attempts that ended in that time
 * @param errors how many of them were errors
 * @param credential name of the destination's credential; empty if it has none
 */
record DestinationResults(DestinationStatus status, long ended, long errors, String credential) {

    /** Returns the share of the attempts that were errors, from 0 to 1. */
    double errorShare() {
        return ended == 0 ? 0 : (double) errors / ended;
    }
}
