package io.iocluster.testkit.time;

import io.iocluster.thread.LoopThread;
import io.iocluster.thread.NodeClock;
import io.iocluster.thread.Platform;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;

/**
 * The threads, timers and random numbers of the system, with a clock of the test.
 *
 * @param time the clock
 */
public record ClockedPlatform(NodeClock time) implements Platform {

    private static final Platform SYSTEM = Platform.system();

    @Override
    public long wallMillis() {
        return time.wallMillis();
    }

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public Clock clock() {
        InstantSource source = () -> Instant.ofEpochMilli(time.wallMillis());
        return source.withZone(ZoneOffset.UTC);
    }

    @Override
    public RandomGenerator random() {
        return SYSTEM.random();
    }

    @Override
    public LoopThread newLoop(String name, LoopThread.Task task) {
        return SYSTEM.newLoop(name, task);
    }

    @Override
    public ScheduledExecutorService newScheduler(String name) {
        return SYSTEM.newScheduler(name);
    }

    @Override
    public Executor newThreads(String name) {
        return SYSTEM.newThreads(name);
    }

    @Override
    public void sleep(Duration length) throws InterruptedException {
        SYSTEM.sleep(length);
    }

    @Override
    public boolean await(Future<?> future, Duration within) throws InterruptedException {
        return SYSTEM.await(future, within);
    }
}
