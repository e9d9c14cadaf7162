package io.iocluster.rabbit.source;

/**
 * Detects that the broker has stopped delivering messages although it could. Confined to the supervisor's thread. A quorum queue
 * may lose acknowledgements when its leader dies. If those fill the prefetch, the queue never delivers again on this channel,
 * so that only a new channel helps.
 */
final class StallDetector {

    private final long timeoutNanos;
    private long sinceNanos;
    private long delivered;
    private QueueLengthMonitor.QueueDepth firstReport;
    private boolean hasSecondReport;

    StallDetector(long timeoutNanos, long nowNanos) {
        this.timeoutNanos = timeoutNanos;
        this.sinceNanos = nowNanos;
    }

    /**
     * Checks for a stall. Call it every second or more often.
     *
     * @param prefetch the maximum number of unacknowledged deliveries
     * @param depth the broker's last report of the queue, a new object for each report
     * @return true if nothing was delivered for the timeout although messages are ready and the prefetch has room, confirmed by a
     *     second report. A channel without any delivery may belong to a standby consumer and never stalls
     */
    boolean detect(
            SourceLoop.SourceSnapshot snapshot, int prefetch, QueueLengthMonitor.QueueDepth depth, long nowNanos) {
        boolean canDeliver = depth.ready() > 0 && snapshot.held() < prefetch && snapshot.delivered() > 0;
        if (!canDeliver || snapshot.delivered() != delivered) {
            sinceNanos = nowNanos;
            delivered = snapshot.delivered();
            firstReport = depth;
            hasSecondReport = false;
        }
        hasSecondReport |= firstReport != depth;
        return hasSecondReport && nowNanos - sinceNanos >= timeoutNanos;
    }
}
