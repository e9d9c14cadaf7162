package io.iocluster.node.cli.top;

/**
 * One destination, summed over the nodes.
 *
 * @param attemptRate attempts in a second since the last sample
 * @param errorRate errors in a second since the last sample
 * @param p99Millis 99th percentile of the attempts since the last sample; 0 if there was none
 */
record DestinationRow(
        String name,
        long inFlight,
        long waiting,
        double attemptRate,
        double errorRate,
        double p50Millis,
        double p99Millis,
        String breaker,
        String lastError) {}
