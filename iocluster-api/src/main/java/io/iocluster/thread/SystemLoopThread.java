package io.iocluster.thread;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A loop on a daemon thread. A wake-up of a loop that runs is one volatile write. Thread-safe. */
final class SystemLoopThread implements LoopThread, Runnable {

    private final GuardedTask task;
    private final Thread thread;

    /** The wait that the last run asked for. Confined to the thread. */
    private long waitNanos;

    /** Whether {@link #wake} was called since the last wait. */
    private volatile boolean woken;

    /** Whether the thread waits or is about to wait. */
    private volatile boolean waiting;

    SystemLoopThread(String name, Task task) {
        this.task = new GuardedTask(name, () -> waitNanos = task.run(), SystemPlatform.INSTANCE);
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
        runOnce();
        while (waitNanos != Task.END) {
            if (waitNanos > 0) {
                await(waitNanos);
            }
            runOnce();
        }
    }

    private void runOnce() {
        waitNanos = FAILURE_WAIT_NANOS;
        task.run();
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
