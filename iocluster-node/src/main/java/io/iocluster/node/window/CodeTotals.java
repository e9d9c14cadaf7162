package io.iocluster.node.window;

import io.iocluster.message.ErrorCode;
import java.util.Map;

/**
 * What became of the messages since the start. Immutable.
 *
 * @param received messages read from the source
 * @param failures calls without an answer from the target, by code; without codes that did not occur
 * @param deadLetters messages that became dead letters, by code; without codes that did not occur
 */
public record CodeTotals(long received, Map<ErrorCode, Long> failures, Map<ErrorCode, Long> deadLetters) {

    public CodeTotals {
        failures = Map.copyOf(failures);
        deadLetters = Map.copyOf(deadLetters);
    }
}
