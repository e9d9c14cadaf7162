package io.iocluster.thread;

import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/** The platform of the operating system. Thread-safe. */
final class SystemPlatform implements Platform {

    static final SystemPlatform INSTANCE = new SystemPlatform();

    /** Draws from the generator of the calling thread. */
    private static final RandomGenerator RANDOM =
            () -> ThreadLocalRandom.current().nextLong();

    private static final int IDLE_THREAD_SECONDS = 10;

    private SystemPlatform() {}

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Clock clock() {
        return Clock.systemUTC();
    }

    @Override
    public RandomGenerator random() {
        return RANDOM;
    }

    @Override
    public UUID uniqueId() {
        return UUID.randomUUID();
    }

    @Override
    public LoopThread newLoop(String name, LoopThread.Task task) {
        return new SystemLoopThread(name, task);
    }

    @Override
    public ScheduledExecutorService newScheduler(String name) {
        return DaemonThreadFactory.newScheduler(name);
    }

    @Override
    public Executor newThreads(String name) {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_THREAD_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new DaemonThreadFactory(name));
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    @Override
    public boolean await(Future<?> future, Duration within) throws InterruptedException {
        try {
            future.get(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException | CancellationException e) {
            return true; // The caller reads the failure from the future.
        }
        return true;
    }
}
