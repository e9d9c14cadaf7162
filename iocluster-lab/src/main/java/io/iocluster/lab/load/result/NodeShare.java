package io.iocluster.lab.load.result;

import java.util.List;

/**
 * The node's share of the latency, from the answers' timing, which is in whole milliseconds.
 *
 * @param queue from the message's timestamp until the node read it
 * @param waiting in the node, without the last attempt: waits for slots, limits and retries, and earlier attempts
 * @param attempt the last attempt, up to the first byte of its response
 */
public record NodeShare(LatencyHistogram queue, LatencyHistogram waiting, LatencyHistogram attempt) {

    /** The share of a run without nodes. */
    public static final NodeShare NONE =
            new NodeShare(LatencyHistogram.EMPTY, LatencyHistogram.EMPTY, LatencyHistogram.EMPTY);

    static NodeShare sum(List<NodeShare> parts) {
        return new NodeShare(
                LatencyHistogram.sum(parts.stream().map(NodeShare::queue).toList()),
                LatencyHistogram.sum(parts.stream().map(NodeShare::waiting).toList()),
                LatencyHistogram.sum(parts.stream().map(NodeShare::attempt).toList()));
    }
}
