package io.iocluster.destination;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what a part of the node holds: one destination, those that share an address, or all of a kind. Thread-safe. Each destination adds
 * what it holds to all parts that it belongs to, under its own lock.
 */
final class Held {

    /** Slots of calls in flight. */
    final AtomicInteger slots = new AtomicInteger();

    /** Calls that wait. */
    final AtomicInteger waiting = new AtomicInteger();

    /** Bytes of the messages of calls in flight, with their reservations. */
    final AtomicLong bytes = new AtomicLong();

    /** Bytes of the messages that wait. */
    final AtomicLong waitingBytes = new AtomicLong();

    /** Bytes that calls in flight reserve for their answers. */
    final AtomicLong reserved = new AtomicLong();

    private final AtomicLong answeredNanos = new AtomicLong();

    private volatile boolean answered;

    /** Adds calls in flight. Negative numbers remove them. */
    void addInFlight(int calls, long moreBytes, long moreReserved) {
        slots.addAndGet(calls);
        bytes.addAndGet(moreBytes);
        if (moreReserved != 0) {
            reserved.addAndGet(moreReserved);
        }
    }

    /** Adds calls that wait. Negative numbers remove them. */
    void addWaiting(int calls, long moreBytes) {
        waiting.addAndGet(calls);
        waitingBytes.addAndGet(moreBytes);
    }

    /** Adds all that another part holds, or removes it if the sign is -1. */
    void add(Held part, int sign) {
        addInFlight(sign * part.slots.get(), sign * part.bytes.get(), sign * part.reserved.get());
        addWaiting(sign * part.waiting.get(), sign * part.waitingBytes.get());
        if (sign > 0 && part.answered) {
            recordAnswer(part.answeredNanos.get());
        }
    }

    /** Records when a call was answered. */
    void recordAnswer(long nowNanos) {
        if (!answered || nowNanos - answeredNanos.get() > 0) {
            answeredNanos.lazySet(nowNanos);
            if (!answered) {
                answered = true;
            }
        }
    }

    /** Returns whether a call was answered within this time. */
    boolean hasAnsweredWithin(long nowNanos, long nanos) {
        return answered && nowNanos - answeredNanos.get() <= nanos;
    }
}
