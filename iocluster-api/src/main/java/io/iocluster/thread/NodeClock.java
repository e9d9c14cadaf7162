package io.iocluster.thread;

/** The clocks of a node: the wall clock of message timestamps, and a monotonic clock for durations. Thread-safe. */
public interface NodeClock {

    /** Returns the milliseconds since the epoch. */
    long wallMillis();

    /** Returns monotonic nanoseconds; only differences have a meaning. */
    long nanos();
}
