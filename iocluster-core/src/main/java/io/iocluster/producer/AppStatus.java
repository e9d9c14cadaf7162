package io.iocluster.producer;

import io.iocluster.settings.Rate;
import io.iocluster.status.StatusField;

/**
 * A snapshot of an app. Immutable.
 *
 * @param answered calls that ended with an HTTP answer since the start
 * @param failed calls that ended without an answer, {@code overQuota} included
 * @param expired calls whose deadline passed
 * @param callsPerSecond a moving average of about ten seconds
 */
public record AppStatus(
        @StatusField(doc = "the name that its messages give; `other` or `unknown` for all apps without their own")
        String name,

        @StatusField(doc = "whether the app is an entry of `apps`")
        boolean configured,

        @StatusField(doc = "calls that the node works on: in flight, or waiting for their destination or their retry")
        int inFlight,

        @StatusField(doc = "calls that wait for the quota") int waiting,
        @StatusField long answered,
        @StatusField long failed,
        @StatusField long rejected,
        @StatusField long expired,

        @StatusField(doc = "calls that were not answered, or with a 4xx or 5xx that is not expected")
        long errors,

        @StatusField(doc = "calls that failed with `app-over-quota`")
        long overQuota,

        @StatusField(doc = "ended calls per second") double callsPerSecond,

        @StatusField(doc = "calls per second that failed with `app-over-quota`")
        double overQuotaPerSecond,

        AppQuota quota) {

    @StatusField(doc = "`max-in-flight` of its quota; 0: no limit")
    int inFlightLimit() {
        return quota.maxInFlight();
    }

    @StatusField(doc = "`rate` of its quota, such as `200/s` or `unlimited`")
    Rate rate() {
        return quota.rate();
    }
}
