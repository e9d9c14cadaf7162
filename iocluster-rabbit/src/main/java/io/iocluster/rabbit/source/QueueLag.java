package io.iocluster.rabbit.source;

import io.iocluster.transport.SourceStatus.Lag;

/** How far behind a queue is, from what the broker said last and what this node holds. Stateless. */
final class QueueLag {

    private QueueLag() {}

    /**
     * The lag as far as it is known.
     *
     * @param told the last that the broker said
     * @param live what this node holds now; null if the broker cannot be asked, and then what was known last counts: what this
     *     node has lost with its channel is no less to do
     * @param nowMillis since the epoch
     */
    static Lag of(
            String queue, QueueLengthMonitor.QueueObservation told, SourceLoop.SourceSnapshot live, long nowMillis) {
        QueueLengthMonitor.QueueDepth length = told.depth();
        // Both of one time, lest what was delivered since counts twice.
        long known = length.ready() + Math.max(told.source().held(), length.unacknowledged());
        long messages = live == null ? known : Math.max(known, live.held());
        long held = (live == null ? told.source() : live).held();
        // What was settled or delivered here since the broker counted is not taken for another node's.
        long elsewhere = Math.min(length.unacknowledged() - told.source().held(), messages - held);
        long oldestHeld = (live == null ? told.source() : live).oldestSinceMillis();
        long oldest = oldestHeld == 0 ? length.headTimestampMillis() : oldestHeld;
        long age = oldest == 0 || messages == 0 ? 0 : Math.max(0, nowMillis - oldest);
        return new Lag(queue, null, messages, Math.max(0, elsewhere), age, live == null);
    }
}
