package io.iocluster.node.problem;

import io.iocluster.message.ErrorCode;
import java.util.Map;

/**
 * What became of the messages that the node has read recently. Immutable.
 *
 * @param received messages read from the source
 * @param rejected calls that were answered as rejected, by code
 * @param deadLetters messages that became dead letters, by code
 */
record CodeCounts(long received, Map<ErrorCode, Long> rejected, Map<ErrorCode, Long> deadLetters) {

    static final CodeCounts NONE = new CodeCounts(0, Map.of(), Map.of());

    CodeCounts {
        rejected = Map.copyOf(rejected);
        deadLetters = Map.copyOf(deadLetters);
    }
}
