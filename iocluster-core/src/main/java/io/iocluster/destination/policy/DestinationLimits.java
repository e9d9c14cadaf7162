package io.iocluster.destination.policy;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Rate;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** How many calls to a destination may run, wait and start. Immutable. */
public record DestinationLimits(
        @Setting(
                value = "0",
                doc = "Calls in flight to the destination. 0: limited only by its share of `workers.max-in-flight`.")
        int maxInFlight,

        @Setting(
                value = "node",
                doc = "`node`: each node has the whole limit. `cluster`: the live nodes [divide"
                        + " it](destinations.md#limits-for-the-whole-cluster).")
        LimitScope maxInFlightPer,

        @Setting(
                value = "2",
                doc = "While several destinations are called, one may exceed its guarantee as long as it has fewer"
                        + " slots than this many times the free ones. With 2, one busy destination gets two thirds of"
                        + " them. See [shares of the slots](destinations.md#shares-of-the-slots).")
        int borrowFactor,

        @Setting(value = "1000", doc = "Calls that wait for the destination, retries included.")
        int maxWaiting,

        @Setting(
                value = "100ms",
                doc = "If the queue of the destination is full, the node pauses reading until the first call in it"
                        + " has waited for this long. Then further calls to the destination fail, [if they"
                        + " delay others](destinations.md#when-the-queue-is-full). 0: at once.")
        Duration backpressureTimeout,

        @Setting(
                value = "fail",
                doc = "What happens to calls that the full queue does not accept. `delay`: they wait in the broker"
                        + " for the shortest tier of `kafka.delayed` or `rabbit.delayed`, if their deadline leaves"
                        + " that time.")
        QueueFullPolicy whenFull,

        @Setting(value = "unlimited", doc = "Maximum rate at which attempts start.")
        Rate rate,

        @Setting(
                value = "node",
                doc = "`node`: each node has the whole `rate`. `cluster`: the live nodes [divide"
                        + " it](destinations.md#limits-for-the-whole-cluster).")
        LimitScope ratePer) {

    private static final Duration MAX_BACKPRESSURE_TIMEOUT = Duration.ofSeconds(10);

    /** The defaults of the configuration. */
    public static final DestinationLimits DEFAULTS = new DestinationLimits(
            0,
            LimitScope.NODE,
            2,
            1_000,
            Duration.ofMillis(100),
            QueueFullPolicy.FAIL,
            Rate.UNLIMITED,
            LimitScope.NODE);

    public DestinationLimits {
        new SettingsValidator()
                .checkRange("max-in-flight", maxInFlight, 0, 1_000_000)
                .checkRange("borrow-factor", borrowFactor, 1, 1_000)
                .checkRange("max-waiting", maxWaiting, 0, 1_000_000)
                .checkNotNegative("backpressure-timeout", backpressureTimeout)
                .check(
                        backpressureTimeout.compareTo(MAX_BACKPRESSURE_TIMEOUT) <= 0,
                        "backpressure-timeout",
                        "must be at most 10s: " + DurationText.format(backpressureTimeout))
                .throwIfInvalid();
    }

    /** Returns whether the nodes divide {@code max-in-flight}. */
    public boolean dividesMaxInFlight() {
        return maxInFlightPer == LimitScope.CLUSTER && maxInFlight > 0;
    }

    /** Returns whether the nodes divide {@code rate}. */
    public boolean dividesRate() {
        return ratePer == LimitScope.CLUSTER && !rate.isUnlimited();
    }

    /** Returns whether the nodes divide a limit. */
    public boolean dividesAny() {
        return dividesMaxInFlight() || dividesRate();
    }

    /** Returns a copy with these limits of each node; null keeps a limit as it is. */
    DestinationLimits with(Integer otherMaxInFlight, Rate otherRate) {
        return new DestinationLimits(
                otherMaxInFlight == null ? maxInFlight : otherMaxInFlight,
                otherMaxInFlight == null ? maxInFlightPer : LimitScope.NODE,
                borrowFactor,
                maxWaiting,
                backpressureTimeout,
                whenFull,
                otherRate == null ? rate : otherRate,
                otherRate == null ? ratePer : LimitScope.NODE);
    }
}
