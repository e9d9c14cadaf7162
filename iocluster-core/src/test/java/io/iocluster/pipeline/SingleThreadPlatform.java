package io.iocluster.pipeline;

import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Runs all tasks of a pipeline on the thread of the test, on virtual time. Time passes only while the test, or a task that waits, lets the
 * others run. Confined to that thread.
 */
public final class SingleThreadPlatform implements Platform {

    private static final long START_MILLIS = 1_750_000_000_000L;

    private final RandomGenerator random;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::number));
    private long nanos = 1;
    private long added;

    private record Event(long atNanos, long number, Runnable task) {}

    public SingleThreadPlatform(long seed) {
        this.random = new Random(seed);
    }

    /** Runs the task after this time, behind the tasks that are due before. */
    void after(long delayNanos, Runnable task) {
        events.add(new Event(nanos + Math.max(0, delayNanos), added++, task));
    }

    /** Lets this time pass. */
    void advance(Duration by) {
        long end = nanos + by.toNanos();
        while (!events.isEmpty() && events.peek().atNanos() <= end) {
            runNext();
        }
        nanos = end;
    }

    private void runNext() {
        Event next = events.remove();
        nanos = Math.max(nanos, next.atNanos());
        next.task().run();
    }

    @Override
    public long wallMillis() {
        return START_MILLIS + nanos / 1_000_000;
    }

    @Override
    public long nanos() {
        return nanos;
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
    public LoopThread newLoop(String name, LoopThread.Task task) {
        throw new UnsupportedOperationException("a pipeline has no loop");
    }

    @Override
    public ScheduledExecutorService newScheduler(String name) {
        return new Scheduler();
    }

    @Override
    public Executor newThreads(String name) {
        return task -> after(0, task);
    }

    @Override
    public void sleep(Duration time) {
        advance(time);
    }

    @Override
    public boolean await(Future<?> future, Duration within) {
        long end = nanos + within.toNanos();
        while (!future.isDone()) {
            if (events.isEmpty() || events.peek().atNanos() > end) {
                nanos = Math.max(nanos, end);
                return false;
            }
            runNext();
        }
        return true;
    }

    private final class Scheduler extends AbstractExecutorService implements ScheduledExecutorService {

        private boolean shutdown;
        private boolean stopped;

        /** A task that waits for its time. */
        private final class Timer<V> extends FutureTask<V> implements ScheduledFuture<V> {

            private final long atNanos;

            Timer(Callable<V> task, long atNanos) {
                super(task);
                this.atNanos = atNanos;
            }

            /** Runs a repeated task, which stays cancellable. */
            boolean runAgain() {
                return runAndReset();
            }

            @Override
            public long getDelay(TimeUnit unit) {
                return unit.convert(atNanos - nanos, TimeUnit.NANOSECONDS);
            }

            @Override
            public int compareTo(Delayed other) {
                return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
            }
        }

        @Override
        public void execute(Runnable task) {
            schedule(task, 0, TimeUnit.NANOSECONDS);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            return schedule(
                    () -> {
                        task.run();
                        return null;
                    },
                    delay,
                    unit);
        }

        @Override
        public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
            if (shutdown) {
                throw new RejectedExecutionException();
            }
            Timer<V> timer = new Timer<>(task, nanos + unit.toNanos(delay));
            after(unit.toNanos(delay), () -> {
                if (!stopped) {
                    timer.run();
                }
            });
            return timer;
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
            return scheduleWithFixedDelay(task, first, period, unit);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
            Timer<Void> timer = new Timer<>(
                    () -> {
                        task.run();
                        return null;
                    },
                    nanos + unit.toNanos(first));
            repeat(timer, unit.toNanos(first), unit.toNanos(delay));
            return timer;
        }

        private void repeat(Timer<Void> timer, long wait, long delay) {
            after(wait, () -> {
                if (!shutdown && timer.runAgain()) {
                    repeat(timer, delay, delay);
                }
            });
        }

        @Override
        public void shutdown() {
            shutdown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutdown = true;
            stopped = true;
            return new ArrayList<>();
        }

        @Override
        public boolean isShutdown() {
            return shutdown;
        }

        @Override
        public boolean isTerminated() {
            return shutdown;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }
}
