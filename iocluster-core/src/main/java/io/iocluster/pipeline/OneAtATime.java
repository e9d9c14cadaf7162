package io.iocluster.pipeline;

import java.util.concurrent.atomic.AtomicInteger;

/** Runs a task on one thread at a time: a run that is requested meanwhile follows on the thread that is running. Thread-safe. */
final class OneAtATime {

    private final AtomicInteger requests = new AtomicInteger();

    /**
     * Runs the task, or lets the thread that is running one run it again.
     *
     * @param task the same work at each call
     */
    void run(Runnable task) {
        if (requests.getAndIncrement() != 0) {
            return;
        }
        int open = 1;
        try {
            while (open != 0) {
                int handled = open;
                task.run();
                open = requests.addAndGet(-handled);
            }
        } finally {
            if (open != 0) {
                requests.set(0);
            }
        }
    }
}
