package io.iocluster.rabbit.source;

import io.iocluster.transport.SourceStatus.Lag;

/** Calculates the lag of a queue from the broker's last report and the deliveries that this node holds. Stateless. */
final class QueueLag {

    private QueueLag() {}

    /**
     * Returns the known lag.
     *
     * @param observed the broker's last report
     * @param live what this node holds now; null if the broker does not answer. Then the last report counts, because the
     *     deliveries that this node lost with its channel are still unsettled
     * @param nowMillis in milliseconds since the epoch
     */
    static Lag of(
            String queue,
            QueueLengthMonitor.QueueObservation observed,
            SourceLoop.SourceSnapshot live,
            long nowMillis) {
        QueueLengthMonitor.QueueDepth depth = observed.depth();
        // Both values are of one time, so that later deliveries do not count twice.
        long known = depth.ready() + Math.max(observed.source().held(), depth.unacknowledged());
        long messages = live == null ? known : Math.max(known, live.held());
        long held = (live == null ? observed.source() : live).held();
        // Deliveries and settlements of this node since the broker's report must not count as another node's.
        long heldElsewhere = Math.min(depth.unacknowledged() - observed.source().held(), messages - held);
        long oldestHeld = (live == null ? observed.source() : live).oldestSinceMillis();
        long oldest = oldestHeld == 0 ? depth.headTimestampMillis() : oldestHeld;
        long ageMillis = oldest == 0 || messages == 0 ? 0 : Math.max(0, nowMillis - oldest);
        return new Lag(queue, null, messages, Math.max(0, heldElsewhere), ageMillis, live == null);
    }
}
