package io.iocluster.destination;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what several destinations hold together: those that share an address, or those that have not answered. A configured
 * destination has a group to itself. Each destination adds its own part under its own lock. Thread-safe.
 */
final class SlotGroup {

    /** Slots that its destinations hold. */
    final AtomicInteger inFlight = new AtomicInteger();

    /** Calls that wait for its destinations. */
    final AtomicInteger waiting = new AtomicInteger();

    /** Bytes that calls in flight reserve for their answers. */
    final AtomicLong reserved = new AtomicLong();
}
