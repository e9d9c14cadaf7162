package io.iocluster.thread;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates daemon threads, which do not keep the program running, and logs each exception that ends one. Thread-safe.
 */
public final class DaemonThreadFactory implements ThreadFactory {

    private static final Logger LOG = LoggerFactory.getLogger(DaemonThreadFactory.class);

    private final String prefix;
    private final AtomicLong created = new AtomicLong();

    /** Creates a factory for the threads of a pool. They are named {@code prefix-1}, {@code prefix-2} and so on. */
    public DaemonThreadFactory(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public Thread newThread(Runnable task) {
        return newThread(prefix + "-" + created.incrementAndGet(), task);
    }

    /** Creates a thread that is not started. */
    public static Thread newThread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(DaemonThreadFactory::logDefect);
        return thread;
    }

    /**
     * Creates a scheduler with one thread of this name. It logs the exceptions and errors of a repeated task and runs the task again. Like
     * every {@link ScheduledExecutorService}, it keeps those of other tasks in their futures.
     */
    public static ScheduledExecutorService newScheduler(String name) {
        return new GuardedScheduler(name);
    }

    private static void logDefect(Thread thread, Throwable defect) {
        LOG.error("Thread ended because of a defect thread={}", thread.getName(), defect);
    }
}
