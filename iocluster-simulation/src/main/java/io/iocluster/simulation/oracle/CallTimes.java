package io.iocluster.simulation.oracle;

/**
 * How long a call took.
 *
 * @param millis from its sending until its answer was stored
 * @param attemptMillis the sum of its attempts
 */
public record CallTimes(long millis, long attemptMillis) {}
