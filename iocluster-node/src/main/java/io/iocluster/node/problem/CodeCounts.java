package io.iocluster.node.problem;

import io.iocluster.message.ErrorCode;
import io.iocluster.node.window.CodeTotals.NotMade;
import java.util.Map;

/**
 * What became of the messages that the node has read recently. Immutable.
 *
 * @param received messages read from the source
 * @param rejected calls that were answered as rejected, by code; empty if rejections have stopped
 * @param deadLetters messages that became dead letters, by code; empty if no more do
 * @param notMade calls of the last seconds that the node has not made in time
 */
record CodeCounts(long received, Map<ErrorCode, Long> rejected, Map<ErrorCode, Long> deadLetters, Recently notMade) {

    static final CodeCounts NONE = new CodeCounts(0, Map.of(), Map.of(), Recently.NOTHING);

    /**
     * Calls of the last seconds that the node has not made in time.
     *
     * @param received messages read in the same time
     * @param app the app that sent most of them; null if unknown
     */
    record Recently(Map<NotMade, Long> counts, long received, double seconds, String app) {

        static final Recently NOTHING = new Recently(Map.of(), 0, 1, null);

        Recently {
            counts = Map.copyOf(counts);
        }
    }

    CodeCounts {
        rejected = Map.copyOf(rejected);
        deadLetters = Map.copyOf(deadLetters);
    }
}
