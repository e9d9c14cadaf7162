package io.iocluster.testkit.chaos.invariant;

/**
 * An answer as its receiver read it.
 *
 * @param outcome as the answer has it, such as {@code answered}
 * @param code null if answered
 * @param queuedMillis from the message's timestamp to its start
 * @param totalMillis from its start to the end of its last attempt
 */
public record ObservedAnswer(String outcome, String code, int attempts, long queuedMillis, long totalMillis) {}
