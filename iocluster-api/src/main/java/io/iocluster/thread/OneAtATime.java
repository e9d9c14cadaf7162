package io.iocluster.thread;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs a task on one thread at a time. If another thread, or the task itself, requests a run meanwhile, the running thread repeats the task.
 * Thread-safe.
 */
public final class OneAtATime {

    private final AtomicInteger requests = new AtomicInteger();

    /**
     * Runs the task; if another thread is running it, requests a repetition there and returns. An exception is thrown after the
     * repetitions that were requested.
     *
     * @param task the same work at each call
     */
    public void run(Runnable task) {
        if (requests.getAndIncrement() != 0) {
            return;
        }
        Throwable failure = null;
        int open = 1;
        while (open != 0) {
            int handled = open;
            try {
                task.run();
            } catch (RuntimeException | Error bug) {
                failure = bug;
            }
            open = requests.addAndGet(-handled);
        }
        if (failure instanceof Error error) {
            throw error;
        } else if (failure != null) {
            throw (RuntimeException) failure;
        }
    }
}
