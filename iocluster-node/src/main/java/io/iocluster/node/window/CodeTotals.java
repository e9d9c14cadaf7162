package io.iocluster.node.window;

import io.iocluster.message.ErrorCode;
import java.util.List;
import java.util.Map;

/**
 * What became of the messages since the start. Immutable.
 *
 * @param received messages read from the source
 * @param failures calls without an answer from the target, by code; without codes that did not occur
 * @param deadLetters messages that became dead letters, by code; without codes that did not occur
 * @param notMade calls that the node did not make in time, of each destination
 */
public record CodeTotals(
        long received, Map<ErrorCode, Long> failures, Map<ErrorCode, Long> deadLetters, Map<NotMade, Long> notMade) {

    /** Codes of calls that are allowed, but that the node did not make in time. */
    public static final List<ErrorCode> NOT_MADE = List.of(
            ErrorCode.DEADLINE_EXCEEDED,
            ErrorCode.DESTINATION_FULL,
            ErrorCode.BREAKER_OPEN,
            ErrorCode.OUT_OF_MEMORY_BUDGET);

    /** A destination and one of {@link #NOT_MADE}. */
    public record NotMade(String destination, ErrorCode code) {}

    public CodeTotals {
        notMade = Map.copyOf(notMade);
        failures = Map.copyOf(failures);
        deadLetters = Map.copyOf(deadLetters);
    }
}
