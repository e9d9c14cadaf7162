package io.iocluster.upstream;

/**
 * A snapshot of one upstream. Immutable.
 *
 * @param destination the destination's name
 * @param upstream {@code host:port}
 * @param zone where it runs; empty if that is unknown
 * @param returnsInMillis until its ejection ends; 0 if it is not ejected
 * @param problem why its last health check failed, else why it was ejected; null if it is neither unhealthy nor ejected
 * @param latencyMillis the latency that selections compare; 0 if no attempt has ended yet
 * @param share its part of the destination's recent attempts, from 0 to 1
 * @param successes attempts with an answer since the upstream was added
 * @param failures failed attempts since the upstream was added
 * @param ignored attempts that say nothing about the upstream
 * @param ejections how often it was ejected
 */
public record UpstreamStatus(
        String destination,
        String upstream,
        String zone,
        UpstreamState state,
        long returnsInMillis,
        String problem,
        int inFlight,
        double latencyMillis,
        double share,
        long successes,
        long failures,
        long ignored,
        long ejections) {

    /** Returns whether the node does not call it because it was ejected or is unhealthy. */
    public boolean isOut() {
        return state == UpstreamState.EJECTED || state == UpstreamState.UNHEALTHY;
    }
}
