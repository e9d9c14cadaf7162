package io.iocluster.pipeline.event;

/** The clocks of a node: the wall clock of message timestamps, and a monotonic clock for durations. Thread-safe. */
public interface NodeClock {

    NodeClock SYSTEM = new NodeClock() {
        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }
    };

    /** Returns the milliseconds since the epoch. */
    long wallMillis();

    /** Returns monotonic nanoseconds; only differences have a meaning. */
    long nanos();
}
