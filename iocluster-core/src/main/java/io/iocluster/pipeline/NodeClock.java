package io.iocluster.pipeline;

/** Both of a node's clocks: the wall's, which records are stamped with, and the one that never jumps, for spans. */
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

    /** Milliseconds since the epoch. */
    long wallMillis();

    /** Nanoseconds since some fixed moment; only differences mean anything. */
    long nanos();
}
