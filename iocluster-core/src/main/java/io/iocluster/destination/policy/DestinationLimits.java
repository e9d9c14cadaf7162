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
                doc = "Maximum number of calls in flight to the destination. 0: only its share of"
                        + " `workers.max-in-flight` limits it.")
        int maxInFlight,

        @Setting(
                value = "2",
                doc = "While several destinations are called, each is guaranteed the slots that it used recently. A"
                        + " destination may exceed its guarantee while it has fewer slots than this many times the free"
                        + " slots that are guaranteed to no destination. With 2, one busy destination gets two thirds of"
                        + " those. See [shares of the slots](destinations.md#shares-of-the-slots).")
        int borrowFactor,

        @Setting(value = "1000", doc = "Maximum number of calls that wait for the destination, retries included.")
        int maxWaiting,

        @Setting(
                value = "100ms",
                doc =
                        "If the destination's queue is full, the node pauses reading until the first call in the queue has"
                                + " waited for longer than this. Then further calls to the destination fail, so that they do"
                                + " not delay calls to others. If they delay no others, they fail later: see [when the queue is"
                                + " full](destinations.md#when-the-queue-is-full). 0: calls fail as soon as the queue is full.")
        Duration backpressureTimeout,

        @Setting(
                value = "fail",
                doc = "What happens to calls that the full queue does not accept. `fail`: they fail at once. `delay`:"
                        + " they wait in the broker for the shortest tier of `kafka.delayed` or `rabbit.delayed`, and"
                        + " fail if their deadline does not leave that time.")
        QueueFullPolicy whenFull,

        @Setting(value = "unlimited", doc = "Maximum rate at which attempts start: `200/s`, `30/m`, `unlimited`.")
        Rate rate) {

    private static final Duration MAX_BACKPRESSURE_TIMEOUT = Duration.ofSeconds(10);

    /** The defaults of the configuration. */
    public static final DestinationLimits DEFAULTS =
            new DestinationLimits(0, 2, 1_000, Duration.ofMillis(100), QueueFullPolicy.FAIL, Rate.UNLIMITED);

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

    DestinationLimits with(int otherMaxInFlight, Rate otherRate) {
        return new DestinationLimits(
                otherMaxInFlight, borrowFactor, maxWaiting, backpressureTimeout, whenFull, otherRate);
    }
}
