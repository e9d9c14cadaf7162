package io.iocluster.rabbit.source;

/**
 * Tells when the broker has stopped to hand out messages that it could hand out. A quorum queue may lose acknowledgements that
 * are on their way when its leader dies, and then waits for what it has: with the prefetch full of those, for ever. Nothing but
 * another channel helps. Confined to the link's thread.
 */
final class StallDetector {

    private final long timeoutNanos;
    private long sinceNanos;
    private long delivered;
    private QueueLengthMonitor.QueueDepth asked;
    private boolean askedAgain;

    StallDetector(long timeoutNanos, long nowNanos) {
        this.timeoutNanos = timeoutNanos;
        this.sinceNanos = nowNanos;
    }

    /**
     * To be asked often.
     *
     * @param now what the channel has delivered, and how much of that the broker waits for
     * @param length the queue as the broker last described it, another object each time
     * @return whether nothing was delivered for so long though messages are ready, and were when the broker was asked again; a
     *     channel that never had any is one that stands by
     */
    boolean detect(SourceLoop.SourceSnapshot now, int prefetch, QueueLengthMonitor.QueueDepth length, long nowNanos) {
        boolean could = length.ready() > 0 && now.held() < prefetch && now.delivered() > 0;
        if (!could || now.delivered() != delivered) {
            sinceNanos = nowNanos;
            delivered = now.delivered();
            asked = length;
            askedAgain = false;
        }
        askedAgain |= asked != length;
        return askedAgain && nowNanos - sinceNanos >= timeoutNanos;
    }
}
