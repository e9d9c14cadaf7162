package io.iocluster.lab.load.schedule;

import java.util.concurrent.locks.LockSupport;

/** The clock of a run. Thread-safe. */
public interface LoadClock {

    /** The clock of the process. */
    LoadClock SYSTEM = new LoadClock() {

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void parkNanos(long nanos) {
            LockSupport.parkNanos(nanos);
        }
    };

    /** Returns the time in nanoseconds since an arbitrary origin. */
    long nanoTime();

    /** Blocks the thread for a time or less, or until it is unparked. */
    void parkNanos(long nanos);
}
