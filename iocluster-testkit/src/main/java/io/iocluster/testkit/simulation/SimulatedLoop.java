package io.iocluster.testkit.simulation;

import io.iocluster.thread.LoopThread;
import java.time.Duration;

/** A loop whose waits cost no time of a thread. Confined to the thread of the simulation. */
public final class SimulatedLoop implements LoopThread {

    private final SimulatedProcess process;
    private final String name;
    private final Task task;
    private boolean started;
    private boolean ended;
    private boolean running;
    private boolean woken;
    private long minWaitNanos;

    /** Counts the scheduled runs, so that a run that was replaced by an earlier one does nothing. */
    private long scheduled;

    SimulatedLoop(SimulatedProcess process, String name, Task task) {
        this.process = process;
        this.name = name;
        this.task = task;
    }

    public String name() {
        return name;
    }

    @Override
    public void start() {
        started = true;
        schedule(0);
    }

    @Override
    public void wake() {
        if (process.disturbance().losesWakeUp()) {
            return;
        }
        woken = true;
        if (started && !ended && !running) {
            schedule(0);
        }
    }

    /**
     * Makes the wait after the current run at least this long, unless the loop is woken. A simulated client that would block within the run
     * calls this and returns at once.
     */
    public void waitAtLeast(long nanos) {
        minWaitNanos = nanos;
    }

    /** Returns whether {@link #waitAtLeast} was called in the current run. A client that is used again in the same run blocks in it. */
    public boolean hasToWait() {
        return minWaitNanos > 0;
    }

    private void schedule(long delayNanos) {
        long number = ++scheduled;
        process.execute(delayNanos, () -> {
            if (number == scheduled && !ended) {
                run();
            }
        });
    }

    private void run() {
        running = true;
        woken = false;
        minWaitNanos = 0;
        long wait;
        process.simulation().setCurrentLoop(this);
        try {
            wait = task.run();
        } catch (ProcessKilled | EndlessRun killed) {
            throw killed;
        } catch (Throwable defect) {
            process.simulation().reportDefect(process, defect);
            wait = FAILURE_WAIT_NANOS;
        } finally {
            running = false;
            process.simulation().setCurrentLoop(null);
        }
        if (wait == Task.END) {
            ended = true;
        } else {
            schedule(woken ? 0 : Math.max(wait, minWaitNanos));
        }
    }

    @Override
    public void await(long nanos) {
        long end = process.nanos() + nanos;
        while (!woken && process.nanos() < end) {
            process.runOthersUntil(end);
        }
        woken = false;
    }

    @Override
    public boolean join(Duration within) {
        wake();
        long end = process.nanos() + within.toNanos();
        while (started && !ended && process.nanos() < end) {
            process.runOthersUntil(end);
        }
        return !started || ended;
    }

    @Override
    public void interrupt() {
        wake();
    }
}
