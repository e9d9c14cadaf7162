package io.iocluster.testkit.simulation;

import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;

/**
 * The platform of one process. Its threads run in the simulation, its wall clock can be stepped, and it can be paused and killed. Confined
 * to the thread of the simulation.
 *
 * <p>Code that blocks, in {@link #sleep} or {@link #await}, runs the tasks of all processes meanwhile. If several tasks block at once, they
 * continue in the opposite order, so a task may continue late, as on a machine that is busy.
 */
public final class SimulatedProcess implements Platform {

    private static final long MAX_HANDOFF_NANOS = 50_000;
    private static final Duration UNBLOCKED_INTERVAL = Duration.ofMillis(5);

    private final Simulation simulation;
    private final String name;
    private final SplittableRandom random;
    private long clockOffsetMillis;
    private long pausedUntil;
    private boolean alive = true;
    private int blockedThreads;
    private Disturbance disturbance = Disturbance.NONE;

    /** Creates a process that runs. */
    public SimulatedProcess(Simulation simulation, String name) {
        this.simulation = simulation;
        this.name = name;
        this.random = simulation.random().split();
    }

    /** Disturbs the threads and timers of the process from now on. */
    public void disturb(Disturbance by) {
        disturbance = by;
    }

    Disturbance disturbance() {
        return disturbance;
    }

    public String name() {
        return name;
    }

    public Simulation simulation() {
        return simulation;
    }

    /** Ends the process at once, as {@code kill -9} does: no task of it runs again. */
    public void kill() {
        alive = false;
    }

    public boolean isAlive() {
        return alive;
    }

    /** Ends the current task if the process was killed. A simulated client calls it first, because the code after a failed call may continue. */
    public void requireAlive() {
        if (!alive) {
            throw new ProcessKilled();
        }
    }

    /** Stops the process for this time, as {@code kill -STOP} or a long garbage collection does. Its clocks continue. */
    public void pause(Duration time) {
        pausedUntil = Math.max(pausedUntil, simulation.nanos() + time.toNanos());
    }

    /** Returns whether the process is paused now. */
    public boolean isPaused() {
        return pausedNanos() > 0;
    }

    /** Returns whether the process was paused at this time or later. */
    public boolean wasPausedSince(long millis) {
        return pausedUntil / 1_000_000 >= millis && pausedUntil > 0;
    }

    /** Returns how long the process stays paused. */
    long pausedNanos() {
        return pausedUntil - simulation.nanos();
    }

    /** Steps the wall clock. A negative time steps it back. */
    public void stepClock(Duration by) {
        clockOffsetMillis += by.toMillis();
    }

    /** Runs a task on a new thread. */
    public void execute(Runnable task) {
        execute(0, task);
    }

    /**
     * Runs a task on a new thread when no thread of the process is blocked. Use it for a task that waits for another thread: if that one
     * was blocked already, it would continue only after the task.
     */
    public void executeUnblocked(Runnable task) {
        execute(() -> {
            if (blockedThreads == 0) {
                task.run();
            } else {
                after(UNBLOCKED_INTERVAL, () -> executeUnblocked(task));
            }
        });
    }

    /** Runs a task after this time and the time that the operating system needs to wake a thread. */
    void execute(long delayNanos, Runnable task) {
        simulation.after(delayNanos + random.nextLong(MAX_HANDOFF_NANOS), this, task);
    }

    /** Runs a task after this time, exactly. */
    public void after(Duration delay, Runnable task) {
        simulation.after(delay.toNanos(), this, task);
    }

    /** Fires a timer after this time, unless the process is disturbed. */
    void setTimer(long delayNanos, Runnable task) {
        long nanos = disturbance.timerNanos(delayNanos);
        if (nanos != Disturbance.NEVER) {
            simulation.after(nanos, this, task);
        }
    }

    @Override
    public long wallMillis() {
        return Simulation.START_MILLIS + simulation.millis() + clockOffsetMillis;
    }

    @Override
    public long nanos() {
        return simulation.nanos();
    }

    @Override
    public Clock clock() {
        InstantSource source = () -> Instant.ofEpochMilli(wallMillis());
        return source.withZone(ZoneOffset.UTC);
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public LoopThread newLoop(String loop, LoopThread.Task task) {
        return new SimulatedLoop(this, loop, task);
    }

    @Override
    public ScheduledExecutorService newScheduler(String scheduler) {
        return new SimulatedScheduler(this);
    }

    @Override
    public Executor newThreads(String threads) {
        return this::execute;
    }

    @Override
    public void sleep(Duration time) {
        long end = nanos() + time.toNanos();
        while (nanos() < end) {
            runOthersUntil(end);
        }
    }

    @Override
    public boolean await(Future<?> future, Duration within) {
        long end = nanos() + within.toNanos();
        while (!future.isDone() && nanos() < end) {
            runOthersUntil(end);
        }
        return future.isDone();
    }

    /** Runs one task of any process, or lets the time pass if there is none until then. */
    void runOthersUntil(long endNanos) {
        blockedThreads++;
        try {
            simulation.runNextUntil(endNanos);
        } finally {
            blockedThreads--;
        }
        requireAlive();
    }
}
