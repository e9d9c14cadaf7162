package io.iocluster.pipeline.outbox;

import java.util.concurrent.atomic.AtomicInteger;

/** Runs a task on one thread at a time: a run that is requested meanwhile follows on the thread that is running. Thread-safe. */
final class OneAtATime {

    private final AtomicInteger requests = new AtomicInteger();

    /**
     * Runs the task, or lets the thread that is running one run it again. An exception does not drop the runs that others requested
     * meanwhile: it is thrown after them.
     *
     * @param task the same work at each call
     */
    void run(Runnable task) {
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
