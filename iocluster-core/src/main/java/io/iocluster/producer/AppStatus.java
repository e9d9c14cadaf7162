package io.iocluster.producer;

/**
 * A snapshot of an app. Immutable.
 *
 * @param name the name in its messages; {@code other} or {@code unknown} for the apps that are not counted separately
 * @param configured whether the app is an entry of {@code apps}
 * @param inFlight calls that the node works on: in flight, or waiting for their destination or their retry
 * @param waiting calls that wait for the quota
 * @param answered calls that ended with an HTTP answer since the start
 * @param failed calls that ended without an answer, {@code overQuota} included
 * @param rejected calls that were rejected
 * @param expired calls whose deadline passed
 * @param errors calls that were not answered, or with a 4xx or 5xx that is not expected
 * @param overQuota calls that failed because the app was over its quota
 * @param callsPerSecond ended calls per second, a moving average of about ten seconds
 * @param overQuotaPerSecond the part of them that failed because the app was over its quota
 */
public record AppStatus(
        String name,
        boolean configured,
        int inFlight,
        int waiting,
        long answered,
        long failed,
        long rejected,
        long expired,
        long errors,
        long overQuota,
        double callsPerSecond,
        double overQuotaPerSecond,
        AppQuota quota) {}
