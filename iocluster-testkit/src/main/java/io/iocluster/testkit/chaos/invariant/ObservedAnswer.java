package io.iocluster.testkit.chaos.invariant;

/**
 * The fields of a received answer that the invariants check. Immutable.
 *
 * @param outcome the wire name, such as {@code answered}
 * @param code the error code; null if answered
 * @param queuedMillis from the message's timestamp to the start of the call
 * @param totalMillis from the start of the call to the end of its last attempt
 */
public record ObservedAnswer(String outcome, String code, int attempts, long queuedMillis, long totalMillis) {}
