package io.iocluster.simulation.cluster;

import java.time.Duration;

/**
 * The settings of the nodes that differ between seeds.
 *
 * @param maxMebibytes for calls and answers
 * @param delayedAfter retries that wait longer wait in the broker
 * @param billingQuota maximum of calls of the app {@code billing} that a node works on; 0 for no limit
 */
public record NodeSize(
        int threads,
        int maxInFlight,
        int maxUnconfirmed,
        int maxWaiting,
        int maxMebibytes,
        Duration delayedAfter,
        int billingQuota) {}
