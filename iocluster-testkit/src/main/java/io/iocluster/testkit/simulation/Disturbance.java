package io.iocluster.testkit.simulation;

/** Disturbs the threads and timers of a process. Only a planted defect does. */
public interface Disturbance {

    /** Disturbs nothing. */
    Disturbance NONE = new Disturbance() {};

    /** The delay of a timer that never fires. */
    long NEVER = -1;

    /** Returns the delay that a timer of this delay really has. */
    default long timerNanos(long nanos) {
        return nanos;
    }

    /** Returns how often a task runs that another thread gave to an event loop. */
    default int runs() {
        return 1;
    }

    /** Returns whether this wake-up of a loop is lost. */
    default boolean losesWakeUp() {
        return false;
    }
}
