package io.iocluster.pipeline;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a scheduled task and logs every exception and error, because an executor silently drops a task that throws.
 * Confined to the supervisor's thread.
 */
final class GuardedTask implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedTask.class);

    private final String name;
    private final Runnable task;
    private final LogThrottle failures = new LogThrottle(System.nanoTime());

    GuardedTask(String name, Runnable task) {
        this.name = name;
        this.task = task;
    }

    @Override
    public void run() {
        try {
            task.run();
        } catch (Throwable bug) {
            long suppressed = failures.pollSuppressed(System.nanoTime());
            if (suppressed != LogThrottle.NOT_DUE) {
                LOG.error("Scheduled task failed; it will run again task={} suppressed={}", name, suppressed, bug);
            }
        }
    }
}
