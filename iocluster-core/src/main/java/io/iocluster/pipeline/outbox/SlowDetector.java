package io.iocluster.pipeline.outbox;

/**
 * Detects whether one topic or queue is slow. It is stalled while it confirms nothing, and overdue while an answer waits for it for too
 * long. Thread-safe, except where a method says otherwise.
 */
final class SlowDetector {

    private static final int FAILURES_UNTIL_STALLED = 3;

    private volatile boolean stalled;
    /** Whether an answer has waited here for {@code slow-after}. Written by the tick. */
    private volatile boolean overdue;

    private volatile boolean hasConfirmed;
    /** Failed publishes since the last confirmation. */
    private volatile int failures;

    /** Whether a probe has failed since the last tick. */
    private volatile boolean probeFailed;
    /** Determines the wait before the next probe. */
    private volatile int failedProbes;

    private volatile long probeNanos;

    /** When it last confirmed an answer, or the broker's client held none. Confined to the tick. */
    private long notStalledNanos;

    /** When it last confirmed an answer or was idle. Confined to the tick. */
    private long upToDateNanos;
    /** Whether a probe has just failed, or the broker has confirmed nothing for {@code slow-after}. Confined to the tick. */
    private boolean stillStalled;
    /** Whether it is slow although another topic or queue has confirmed answers meanwhile. Confined to the tick. */
    private boolean slowerThanOthers;

    /** When it last confirmed an answer, at a tick's precision. Confined to the tick. */
    private long lastConfirmedNanos;

    /** When its oldest waiting answer was queued here. Confined to the tick. */
    private long oldestNanos;

    SlowDetector(long runningNanos) {
        this.notStalledNanos = runningNanos;
        this.upToDateNanos = runningNanos;
    }

    /** Records a confirmed answer; ends a stall. */
    void recordConfirmation() {
        if (!hasConfirmed) {
            hasConfirmed = true;
        }
        if (failures != 0) {
            failures = 0;
            failedProbes = 0;
        }
        if (stalled) {
            stalled = false;
        }
    }

    /**
     * Records a failed publish.
     *
     * @param unknown whether the broker says that the topic or queue does not exist
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // A lost increment detects the stall one failure later.
    void recordFailure(boolean unknown, long now) {
        int count = ++failures;
        // Answers that were published together often fail together, for example with their channel. They count as one
        // failed probe.
        if (count == 1 || now - probeNanos >= 0) {
            probeNanos = now + PublishBackoff.nanosAfter(++failedProbes);
            probeFailed = stalled;
        }
        if (unknown || count >= FAILURES_UNTIL_STALLED) {
            stalled = true;
        }
    }

    /**
     * Updates whether it is slow: it confirms nothing, or an answer has waited too long. Called by the tick.
     *
     * @param oldestWaitingNanos when its oldest waiting answer was queued; now if none waits
     * @param isPublishing whether the broker's client holds an answer
     */
    void update(long runningNanos, long slowAfterNanos, long oldestWaitingNanos, boolean isPublishing, boolean isIdle) {
        boolean confirmed = hasConfirmed;
        hasConfirmed = false;
        stillStalled = probeFailed;
        probeFailed = false;
        if (confirmed) {
            lastConfirmedNanos = runningNanos;
        }
        if (confirmed || isIdle) {
            upToDateNanos = runningNanos;
            slowerThanOthers = false;
        }
        if (confirmed || !isPublishing) {
            notStalledNanos = runningNanos;
        } else if (runningNanos - notStalledNanos >= slowAfterNanos) {
            stalled = true;
            stillStalled = true;
        }
        oldestNanos = oldestWaitingNanos;
        overdue = runningNanos - oldestNanos >= slowAfterNanos;
    }

    /**
     * Updates whether this topic or queue is slow while others confirm answers. A stalled one must also have failed recently, because
     * after an outage topics and queues recover one by one. The tick calls this after {@link #update} of all.
     *
     * @param othersConfirmedNanos when another topic or queue last confirmed an answer
     * @param mayBeOverdue whether it also counts as slower if it confirms answers, but too few
     */
    void compareWithOthers(long othersConfirmedNanos, boolean mayBeOverdue) {
        if (!stalled) {
            slowerThanOthers = mayBeOverdue && overdue && othersConfirmedNanos > oldestNanos;
        } else if (stillStalled && othersConfirmedNanos > upToDateNanos) {
            slowerThanOthers = true;
        }
    }

    /** Returns whether it is slow although another topic or queue has confirmed answers meanwhile. Tick only. */
    boolean isSlowerThanOthers() {
        return slowerThanOthers;
    }

    /** Returns when it last confirmed an answer. Tick only. */
    long lastConfirmedNanos() {
        return lastConfirmedNanos;
    }

    /** Returns whether it has confirmed an answer since the last {@link #update}. */
    boolean hasConfirmedRecently() {
        return hasConfirmed;
    }

    /** Returns whether it confirms nothing. */
    boolean isStalled() {
        return stalled;
    }

    /** Returns whether it is stalled and the next probe is due. */
    boolean isProbeDue(long now) {
        return stalled && now - probeNanos >= 0;
    }

    /** Returns whether it confirms nothing, or confirms so little that answers wait for too long. */
    boolean isSlow() {
        return stalled || overdue;
    }
}
