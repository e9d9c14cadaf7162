package io.iocluster.testkit.simulation;

import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A task that waits for its time on a scheduler. */
final class SimulatedTimer<V> extends FutureTask<V> implements ScheduledFuture<V> {

    private final SimulatedProcess process;
    private long atNanos;

    SimulatedTimer(SimulatedProcess process, Callable<V> task, long delayNanos) {
        super(task);
        this.process = process;
        this.atNanos = process.nanos() + delayNanos;
    }

    /** Runs a repeated task, which stays cancellable. Returns whether it may run again. */
    boolean runAndRepeat(long delayNanos) {
        atNanos = process.nanos() + delayNanos;
        return runAndReset();
    }

    @Override
    public long getDelay(TimeUnit unit) {
        return unit.convert(atNanos - process.nanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
        return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
}
