package io.iocluster.lab.load.result;

import java.util.List;

/**
 * Where the latency of calls comes from, by the answers' timing, which is in whole milliseconds.
 *
 * @param queue from the message's timestamp until the node read it
 * @param waiting in the node, without the last attempt: waits for slots, limits and retries, and earlier attempts
 * @param attempt the last attempt, up to the first byte of its response
 * @param rest of the latency: the delay of the generator, the broker, the way back and the client; empty in an older result
 */
public record NodeShare(
        LatencyHistogram queue, LatencyHistogram waiting, LatencyHistogram attempt, LatencyHistogram rest) {

    /** The share of a run without nodes. */
    public static final NodeShare NONE = new NodeShare(
            LatencyHistogram.EMPTY, LatencyHistogram.EMPTY, LatencyHistogram.EMPTY, LatencyHistogram.EMPTY);

    public NodeShare {
        rest = rest == null ? LatencyHistogram.EMPTY : rest;
    }

    static NodeShare sum(List<NodeShare> parts) {
        return new NodeShare(
                LatencyHistogram.sum(parts.stream().map(NodeShare::queue).toList()),
                LatencyHistogram.sum(parts.stream().map(NodeShare::waiting).toList()),
                LatencyHistogram.sum(parts.stream().map(NodeShare::attempt).toList()),
                LatencyHistogram.sum(parts.stream().map(NodeShare::rest).toList()));
    }
}
