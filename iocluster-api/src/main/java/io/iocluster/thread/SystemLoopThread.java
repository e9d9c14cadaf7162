package io.iocluster.thread;

import io.iocluster.log.LogThrottle;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A loop on a daemon thread. A wake-up of a loop that runs is one volatile write. Thread-safe. */
final class SystemLoopThread implements LoopThread, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(SystemLoopThread.class);

    private final Task task;
    private final Thread thread;
    private final LogThrottle failures = new LogThrottle(SystemPlatform.INSTANCE.nanos());

    /** Whether {@link #wake} was called since the last wait. */
    private volatile boolean woken;

    /** Whether the thread waits or is about to wait. */
    private volatile boolean waiting;

    SystemLoopThread(String name, Task task) {
        this.task = task;
        this.thread = DaemonThreadFactory.newThread(name, this);
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public void wake() {
        if (!woken) {
            woken = true;
        }
        if (waiting) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void run() {
        long wait = runOnce();
        while (wait != Task.END) {
            if (wait > 0) {
                await(wait);
            }
            wait = runOnce();
        }
    }

    private long runOnce() {
        try {
            return task.run();
        } catch (Throwable defect) {
            log(defect);
            return FAILURE_WAIT_NANOS;
        }
    }

    private void log(Throwable defect) {
        try {
            long suppressed = failures.pollSuppressed(SystemPlatform.INSTANCE.nanos());
            if (suppressed != LogThrottle.NOT_DUE) {
                LOG.error("Task failed; it will run again task={} suppressed={}", thread.getName(), suppressed, defect);
            }
        } catch (Throwable unloggable) {
            // Without memory, logging fails too. The next run may succeed.
        }
    }

    @Override
    public void await(long nanos) {
        waiting = true;
        if (!woken) {
            LockSupport.parkNanos(this, nanos);
        }
        waiting = false;
        woken = false;
    }

    @Override
    public boolean join(Duration within) {
        wake();
        if (thread.getState() == Thread.State.NEW) {
            return true;
        }
        try {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(within.toNanos())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    @Override
    public void interrupt() {
        thread.interrupt();
    }
}
