package io.iocluster.destination.operator;

import io.iocluster.settings.Rate;
import io.iocluster.status.StatusField;
import java.time.Duration;
import java.time.Instant;

/**
 * The overrides of an operator that are in force at a destination. Immutable.
 */
public record OperatorStatus(
        @StatusField(
                name = "operatorPause",
                nullable = true,
                doc = "pause that an operator asked for; null if there is none")
        Pause pause,

        @StatusField(
                name = "operatorLimit",
                nullable = true,
                doc = "limits of an operator, in place of the configured ones; null if there are none")
        Limit limit) {

    /** No override. */
    public static final OperatorStatus NONE = new OperatorStatus(null, null);

    /** A pause with its end and the time until then. */
    public record Pause(
            @StatusField(doc = "when it ends by itself") Instant until,

            @StatusField(name = "remainingMillis", doc = "time until then")
            Duration remaining) {}

    /** Limits with their end and the time until then. */
    public record Limit(
            @StatusField(nullable = true, min = 1, doc = "null if the configured limit applies")
            Integer maxInFlight,

            @StatusField(nullable = true, doc = "null if the configured rate applies")
            Rate rate,

            @StatusField(doc = "when it ends by itself") Instant until,

            @StatusField(name = "remainingMillis", doc = "time until then")
            Duration remaining) {}
}
