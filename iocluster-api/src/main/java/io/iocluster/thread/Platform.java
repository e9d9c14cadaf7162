package io.iocluster.thread;

import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;

/**
 * The clocks, threads, timers and random numbers of a process. The composition root creates one and passes it on. Nothing else reads a
 * clock, starts a thread, sets a timer or draws a random number, so that a simulation can replace them all
 * (docs/adr/0003-one-owner-for-each-state.md). Thread-safe.
 */
public interface Platform extends NodeClock {

    /** Returns the platform of the operating system. */
    static Platform system() {
        return SystemPlatform.INSTANCE;
    }

    /** Returns the wall clock, in UTC. */
    Clock clock();

    /** Returns random numbers for jitter and for selections. Never for secrets. */
    RandomGenerator random();

    /** Returns an id that no other process has. It cannot be guessed, except in a simulation. */
    default UUID uniqueId() {
        return new UUID(random().nextLong(), random().nextLong());
    }

    /** Creates a thread that runs a task repeatedly. It is not started. */
    LoopThread newLoop(String name, LoopThread.Task task);

    /**
     * Creates a scheduler with one thread of this name. It logs the exceptions and errors of a repeated task and runs the task again. After
     * {@code shutdown}, tasks with a delay that were scheduled before still run.
     */
    ScheduledExecutorService newScheduler(String name);

    /** Returns an executor that runs each task at once on its own thread, for tasks that may block. Idle threads end soon. */
    Executor newThreads(String name);

    /**
     * Blocks the calling thread for this time.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    void sleep(Duration time) throws InterruptedException;

    /**
     * Blocks the calling thread until the future is done, with or without an exception, at most for this time.
     *
     * @return whether the future is done
     * @throws InterruptedException if the thread is interrupted
     */
    boolean await(Future<?> future, Duration within) throws InterruptedException;
}
