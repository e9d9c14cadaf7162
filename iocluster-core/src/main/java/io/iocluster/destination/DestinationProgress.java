package io.iocluster.destination;

import java.util.concurrent.TimeUnit;

/**
 * Records when a destination last started an attempt, was held up by the node, or answered. Confined to its
 * destination's lock.
 */
final class DestinationProgress {

    /** A destination that has only failed for this long counts as one that has never answered. */
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private long startedNanos;
    private long nodeFullNanos;
    private long answeredNanos;
    private boolean responsive;

    DestinationProgress(long nowNanos) {
        this.startedNanos = nowNanos;
        this.nodeFullNanos = nowNanos - DestinationRegistry.IDLE_EXPIRY_NANOS;
    }

    void attemptStarted(long nowNanos) {
        startedNanos = nowNanos;
    }

    /** Records that an attempt could have started if the node had had a slot for it. */
    void nodeFull(long nowNanos) {
        nodeFullNanos = nowNanos;
    }

    /** Records the end of an attempt, with or without an HTTP answer. */
    void attemptEnded(boolean answered, long nowNanos) {
        if (answered) {
            responsive = true;
            answeredNanos = nowNanos;
        } else if (nowNanos - answeredNanos > SILENT_NANOS) {
            responsive = false;
        }
    }

    /** Returns whether the destination has answered, and has not only failed for ten seconds since. */
    boolean isResponsive() {
        return responsive;
    }

    /** Returns whether the node was full within this time. */
    boolean wasNodeFullWithin(long nowNanos, long nanos) {
        return nowNanos - nodeFullNanos <= nanos;
    }

    /** Returns whether an attempt started within this time. */
    boolean hasStartedWithin(long nowNanos, long nanos) {
        return nowNanos - startedNanos <= nanos;
    }
}
