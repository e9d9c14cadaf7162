package io.iocluster.thread;

import java.time.Duration;

/** A thread that runs a task repeatedly and waits between two runs. Thread-safe. */
public interface LoopThread {

    /** A task that a loop runs repeatedly. Called on the thread of its loop only. */
    @FunctionalInterface
    interface Task {

        /** Ends the loop. */
        long END = -1;

        /**
         * Runs once. After an exception or an error the loop logs it, waits for {@value LoopThread#FAILURE_WAIT_NANOS} ns and runs the task
         * again.
         *
         * @return maximum wait before the next run in nanoseconds; zero to run again at once; {@link #END} to end the loop
         */
        long run();
    }

    /** Wait after a task threw an exception or an error. */
    long FAILURE_WAIT_NANOS = 100_000_000;

    /** Starts the thread. */
    void start();

    /** Ends the current wait, or the next one if the task runs now. Any thread; cheap if the loop does not wait. */
    void wake();

    /**
     * Waits within a run of the task, because the caller of the task's code needs a result at once. May return early. Thread of the loop
     * only.
     *
     * @param nanos maximum wait in nanoseconds; {@link #wake} ends it
     */
    void await(long nanos);

    /** Wakes the loop and waits until it has ended, at most for this time. The loop ends only when its task returns {@link Task#END}. */
    boolean join(Duration within);

    /** Interrupts the thread, because its task blocks for too long. */
    void interrupt();
}
