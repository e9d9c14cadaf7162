package io.iocluster.destination.limit;

import java.time.Duration;

/**
 * Why a breaker is not closed. Immutable.
 *
 * @param lastFailure the last result that counted as a failure, such as {@code status 503}
 * @param nextProbe how long the breaker still lets no attempt through; zero if it lets probes through
 */
public record BreakerTrip(String lastFailure, Duration nextProbe) {}
