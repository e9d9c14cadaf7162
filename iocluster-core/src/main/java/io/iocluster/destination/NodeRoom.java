package io.iocluster.destination;

/** What the node has left for calls to any destination. From any thread; exact only while nothing changes. */
public interface NodeRoom {

    /** Returns the number of slots for calls in flight, free or not. */
    int places();

    /** Places for calls in flight. */
    int freePlaces();

    /** Calls that may wait. */
    int freeWaiting();

    /** Bytes that calls may hold. */
    long freeBytes();

    /** Returns the bytes that calls in flight may reserve together, reserved or not. */
    long reservableBytes();
}
