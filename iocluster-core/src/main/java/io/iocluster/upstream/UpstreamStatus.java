package io.iocluster.upstream;

import io.iocluster.status.StatusField;

/**
 * A snapshot of one upstream. The counts are since it was added. Immutable.
 *
 * @param problem why its last health check failed, else why it was ejected; null if it is neither unhealthy nor ejected
 */
public record UpstreamStatus(
        @StatusField(doc = "an entry of `destinations`") String destination,
        @StatusField(doc = "host and port") String upstream,

        @StatusField(doc = "where it runs; empty if that is unknown")
        String zone,

        @StatusField(
                doc =
                        "`slow-start`: less than its share, because it is new or has returned. `ejected` and `unhealthy`: no"
                                + " calls")
        UpstreamState state,

        @StatusField(doc = "until its ejection ends; 0 if it is not ejected")
        long returnsInMillis,

        @StatusField(nullable = true, doc = "why it gets no calls; null if it gets some")
        String problem,

        @StatusField(doc = "attempts in flight") int inFlight,

        @StatusField(decimals = 1, doc = "the latency that selections compare; 0 if no attempt has ended yet")
        double latencyMillis,

        @StatusField(decimals = 3, max = 1, doc = "its part of the destination's attempts of the last 10 to 20 seconds")
        double share,

        @StatusField(doc = "attempts with an answer") long successes,
        @StatusField(doc = "failed attempts") long failures,

        @StatusField(doc = "attempts that say nothing about the upstream")
        long ignored,

        @StatusField(doc = "how often it was ejected") long ejections) {

    /** Returns whether the node does not call it because it was ejected or is unhealthy. */
    public boolean isOut() {
        return state == UpstreamState.EJECTED || state == UpstreamState.UNHEALTHY;
    }
}
