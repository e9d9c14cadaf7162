package io.iocluster.door.config;

/** Where the door makes its calls. */
public enum DoorTransport {
    /** Nodes make the calls, which the door puts on the queue of the configured broker. */
    QUEUE,
    /** The door makes the calls in its own process, without a broker. */
    LOCAL
}
