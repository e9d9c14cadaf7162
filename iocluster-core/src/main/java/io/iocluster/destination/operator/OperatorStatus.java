package io.iocluster.destination.operator;

import io.iocluster.settings.Rate;
import java.time.Duration;
import java.time.Instant;

/**
 * The overrides of an operator that are in force at a destination. Immutable.
 *
 * @param pause null if there is none
 * @param limit null if there is none
 */
public record OperatorStatus(Pause pause, Limit limit) {

    /** No override. */
    public static final OperatorStatus NONE = new OperatorStatus(null, null);

    /** A pause with its end and the time until then. */
    public record Pause(Instant until, Duration remaining) {}

    /**
     * Limits with their end and the time until then.
     *
     * @param maxInFlight null if the configured limit applies
     * @param rate null if the configured rate applies
     */
    public record Limit(Integer maxInFlight, Rate rate, Instant until, Duration remaining) {}
}
