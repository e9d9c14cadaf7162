package io.iocluster.testkit.simulation;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A scheduler with one simulated thread. Confined to the thread of the simulation. */
final class SimulatedScheduler extends AbstractExecutorService implements ScheduledExecutorService {

    private final SimulatedProcess process;
    private final SerialQueue thread;
    private boolean shutdown;
    private boolean stopped;

    SimulatedScheduler(SimulatedProcess process) {
        this.process = process;
        this.thread = new SerialQueue(process);
    }

    @Override
    public void execute(Runnable task) {
        schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return schedule(Executors.callable(task), delay, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        if (shutdown) {
            throw new RejectedExecutionException("scheduler is shut down");
        }
        SimulatedTimer<V> timer = new SimulatedTimer<>(process, task, unit.toNanos(delay));
        at(unit.toNanos(delay), timer);
        return timer;
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        return scheduleWithFixedDelay(task, first, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        Runnable guarded = () -> {
            try {
                task.run();
            } catch (ProcessKilled | EndlessRun killed) {
                throw killed;
            } catch (Throwable defect) {
                process.simulation().reportDefect(process, defect);
            }
        };
        SimulatedTimer<Object> timer = new SimulatedTimer<>(process, Executors.callable(guarded), unit.toNanos(first));
        repeat(timer, unit.toNanos(first), unit.toNanos(delay));
        return timer;
    }

    private void repeat(SimulatedTimer<Object> timer, long wait, long delay) {
        at(wait, () -> {
            if (!shutdown && timer.runAndRepeat(delay)) {
                repeat(timer, delay, delay);
            }
        });
    }

    private void at(long delayNanos, Runnable task) {
        Runnable unlessStopped = () -> {
            if (!stopped) {
                task.run();
            }
        };
        if (delayNanos <= 0) {
            thread.add(unlessStopped);
        } else {
            process.setTimer(delayNanos, () -> thread.add(unlessStopped));
        }
    }

    /** As in the JDK, tasks that were submitted before still run, and repeated ones do not. */
    @Override
    public void shutdown() {
        shutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown = true;
        stopped = true;
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return shutdown && !thread.isRunning();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        long end = process.nanos() + unit.toNanos(timeout);
        while (!isTerminated() && process.nanos() < end) {
            process.runOthersUntil(end);
        }
        return isTerminated();
    }
}
