package io.iocluster.rabbit.sink;

import java.time.Duration;

/**
 * Decides when the channel of a link is replaced. One reason is messages that it may never confirm: the confirm timeouts of all
 * messages that are set aside have passed. Even if their queue recovers, the broker may not confirm them on this channel, and they
 * count towards what blocks it. The other reason is a queue that has long refused every message. Nothing is sent until the other
 * messages are confirmed, so that none is published twice. Confined to the publisher's loop, except for {@link #isDue}.
 */
final class ChannelRenewal {

    /** How long nothing is sent while the link waits for the confirms of healthy queues. */
    private static final long MAX_DRAIN_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long MIN_INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

    private volatile boolean due;
    private boolean draining;
    private boolean hasDrained;
    private long sinceNanos;

    /** Returns whether the channel must be replaced now. Any thread. */
    boolean isDue() {
        return due;
    }

    /** Returns whether nothing may be sent. */
    boolean isDraining() {
        return draining;
    }

    /**
     * Starts to drain the channel if it must be replaced, and stops if that takes too long. Call it repeatedly.
     *
     * @param hasRefusingQueue whether a queue has long refused every message
     */
    void check(UnconfirmedPublishes unconfirmed, boolean hasRefusingQueue, long now) {
        boolean needed = unconfirmed.setAsideCount() == 0 ? hasRefusingQueue : unconfirmed.hasOnlyExpiredSetAside();
        boolean waited = !hasDrained || now - sinceNanos >= MIN_INTERVAL_NANOS;
        if (!draining && waited && needed) {
            draining = true;
            hasDrained = true;
            sinceNanos = now;
        } else if (draining && !due && now - sinceNanos >= MAX_DRAIN_NANOS) {
            draining = false;
        }
    }

    /** Checks whether the channel has been drained. Returns true if it must be replaced from now on. */
    boolean becomesDue(UnconfirmedPublishes unconfirmed) {
        if (!draining || due || unconfirmed.size() > 0) {
            return false;
        }
        due = true;
        return true;
    }

    /** Starts with a new channel. */
    void reset() {
        draining = false;
        due = false;
    }
}
