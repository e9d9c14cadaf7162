package io.iocluster.destination;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what a group of destinations holds together: those that share an address, or those that have not answered.
 * Thread-safe. A configured destination is alone in its group. Each destination adds its part under its own lock.
 */
final class SlotGroup {

    /** Slots that its destinations hold. */
    final AtomicInteger inFlight = new AtomicInteger();

    /** Calls that wait for its destinations. */
    final AtomicInteger waiting = new AtomicInteger();

    /** Bytes that calls in flight reserve for their answers. */
    final AtomicLong reserved = new AtomicLong();

    /** Bytes of the messages of calls in flight, with the reservations. */
    final AtomicLong inFlightBytes = new AtomicLong();

    /** Bytes of the messages that wait. */
    final AtomicLong waitingBytes = new AtomicLong();

    private final AtomicLong answeredNanos = new AtomicLong();

    private volatile boolean answered;

    /** Records when a member has answered a call. */
    void recordAnswer(long nowNanos) {
        if (!answered || nowNanos - answeredNanos.get() > 0) {
            answeredNanos.lazySet(nowNanos);
            if (!answered) {
                answered = true;
            }
        }
    }

    /** Returns whether a member has answered a call within this time. */
    boolean hasAnsweredWithin(long nowNanos, long nanos) {
        return answered && nowNanos - answeredNanos.get() <= nanos;
    }
}
