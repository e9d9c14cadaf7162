package io.iocluster.thread;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A scheduler with one daemon thread, whose repeated tasks run again after an exception or an error. Logs them at a limited rate.
 * Thread-safe.
 */
final class GuardedScheduler extends ScheduledThreadPoolExecutor {

    private final String name;

    GuardedScheduler(String name) {
        super(1, task -> DaemonThreadFactory.newThread(name, task));
        this.name = name;
        setRemoveOnCancelPolicy(true); // A timeout that is not needed any more would hold its call.
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        return super.scheduleAtFixedRate(new GuardedTask(name, task, SystemPlatform.INSTANCE), first, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        return super.scheduleWithFixedDelay(new GuardedTask(name, task, SystemPlatform.INSTANCE), first, delay, unit);
    }
}
