package io.iocluster.rabbit.sink;

import java.time.Duration;

/**
 * Decides when the channel of a link is replaced. One reason is that all messages that are set aside have exceeded their confirm timeout:
 * the broker may never confirm them on this channel, even if their queue recovers, and blocks a channel with too many of them. The other
 * reason is a queue that has long refused every message. Nothing is sent until the other messages are confirmed, so that none is
 * published twice. Confined to the publisher's loop, except for {@link #isDue}.
 */
final class ChannelRenewal {

    /** How long nothing is sent while the link waits for the confirms of healthy queues. */
    private static final long MAX_DRAIN_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long MIN_INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

    /** The phases of a channel, in their order. A drain that takes too long returns to the first. */
    private enum Phase {
        SENDING,
        DRAINING,
        DUE
    }

    private volatile Phase phase = Phase.SENDING;
    private boolean hasDrained;
    private long drainStartNanos;

    /** Returns whether the channel must be replaced now. Any thread. */
    boolean isDue() {
        return phase == Phase.DUE;
    }

    /** Returns whether messages may be sent. */
    boolean maySend() {
        return phase == Phase.SENDING;
    }

    /**
     * Starts to drain the channel if it must be replaced, and stops if that takes too long. Call it repeatedly.
     *
     * @param hasRefusingQueue whether a queue has long refused every message
     */
    void check(UnconfirmedPublishes unconfirmed, boolean hasRefusingQueue, long now) {
        boolean needed = unconfirmed.setAsideCount() == 0 ? hasRefusingQueue : unconfirmed.hasOnlyExpiredSetAside();
        boolean mayDrain = !hasDrained || now - drainStartNanos >= MIN_INTERVAL_NANOS;
        if (phase == Phase.SENDING && mayDrain && needed) {
            phase = Phase.DRAINING;
            hasDrained = true;
            drainStartNanos = now;
        } else if (phase == Phase.DRAINING && now - drainStartNanos >= MAX_DRAIN_NANOS) {
            phase = Phase.SENDING;
        }
    }

    /** Checks whether the channel has been drained. Returns true if it must be replaced from now on. */
    boolean becomesDue(UnconfirmedPublishes unconfirmed) {
        if (phase != Phase.DRAINING || unconfirmed.size() > 0) {
            return false;
        }
        phase = Phase.DUE;
        return true;
    }

    /** Starts with a new channel. */
    void reset() {
        phase = Phase.SENDING;
    }
}
