package io.iocluster.hedge;

import java.time.Duration;

/**
 * A snapshot of the second attempts of a destination. Immutable.
 *
 * @param after the configured delay, such as {@code p95}
 * @param delay how long an attempt runs now before a second one starts; null if the percentile is not known yet
 * @param budgetPercent maximum number of second attempts, in percent of the calls
 */
public record HedgeStatus(String after, Duration delay, int budgetPercent) {}
