package io.iocluster.thread;

import io.iocluster.log.LogThrottle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task and logs its exceptions and errors. Otherwise an executor would silently drop a task that throws, and the caller of a signal
 * that throws might not release its resources. Never throws. Thread-safe if the task is.
 */
public final class GuardedTask implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedTask.class);

    private final String name;
    private final Runnable task;
    private final LogThrottle failures;

    /**
     * Creates a task that can run any number of times.
     *
     * @param name names the task in log lines
     * @param clock limits the rate of the log lines
     */
    public GuardedTask(String name, Runnable task, NodeClock clock) {
        this.name = name;
        this.task = task;
        this.failures = new LogThrottle(LOG, clock::nanos);
    }

    @Override
    public void run() {
        try {
            task.run();
        } catch (Throwable bug) {
            log(bug);
        }
    }

    private void log(Throwable bug) {
        try {
            failures.error("Task failed; it will run again task={}", name, bug);
        } catch (Throwable unloggable) {
            // Without memory, logging fails too. The next run may succeed.
        }
    }
}
