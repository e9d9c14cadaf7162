package io.iocluster.destination;

import io.iocluster.destination.policy.DestinationPolicy;
import java.util.concurrent.TimeUnit;

/**
 * Counts the attempts of a destination, and records when it last started an attempt, was held up by the node, or
 * answered. Confined to its destination's lock.
 */
final class DestinationProgress {

    /** A destination that has only failed for this long counts as one that has never answered. */
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private long attempts;
    private long startedNanos;
    private long nodeFullNanos;
    private long answeredNanos;
    private boolean responsive;

    DestinationProgress(long nowNanos) {
        this.startedNanos = nowNanos;
        this.nodeFullNanos = nowNanos - DestinationRegistry.IDLE_EXPIRY_NANOS;
    }

    void attemptStarted(long nowNanos) {
        attempts++;
        startedNanos = nowNanos;
    }

    /** Returns how many attempts were started. */
    long attempts() {
        return attempts;
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

    /**
     * Returns whether the queue makes progress. If calls may start now, the next one may wait until a call in flight
     * reaches its timeout.
     */
    boolean isProgressing(long nowNanos, DestinationPolicy policy, boolean acceptingCalls) {
        long backpressureNanos = policy.backpressureTimeout().toNanos();
        return hasStartedWithin(nowNanos, backpressureNanos)
                || (backpressureNanos > 0
                        && acceptingCalls
                        && hasStartedWithin(nowNanos, policy.timeout().toNanos()));
    }

    private boolean hasStartedWithin(long nowNanos, long nanos) {
        return nowNanos - startedNanos <= nanos;
    }
}
