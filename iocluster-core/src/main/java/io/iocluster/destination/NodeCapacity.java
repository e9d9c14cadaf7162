package io.iocluster.destination;

/** What the node has left for calls to any destination. From any thread; exact only while nothing changes. */
public interface NodeCapacity {

    /** Returns the number of slots for calls in flight, free or not. */
    int slots();

    /** Places for calls in flight. */
    int freeSlots();

    /** Calls that may wait. */
    int freeQueueSlots();

    /** Bytes that calls may hold. */
    long freeBytes();

    /** Returns the bytes that calls in flight may reserve together, reserved or not. */
    long reservableBytes();
}
