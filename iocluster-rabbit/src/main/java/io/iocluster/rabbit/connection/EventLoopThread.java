package io.iocluster.rabbit.connection;

import io.iocluster.log.LogThrottle;
import io.iocluster.thread.NodeClock;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loop of one source or sink: a single thread that owns their state and reads and writes their connection, so that
 * deliveries and confirms are processed on the thread that read them. Thread-safe. It outlives connections. Its tasks must not
 * block on the broker.
 */
public final class EventLoopThread {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoopThread.class);

    private final EventLoopGroup group;
    private final EventLoop loop;
    private final LogThrottle failures;

    /** Starts a thread of this name when the first task is enqueued. */
    public EventLoopThread(String threadName, NodeClock clock) {
        this(
                new MultiThreadIoEventLoopGroup(
                        1,
                        new DefaultThreadFactory(threadName, true),
                        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory()),
                clock);
    }

    /** @param group has one event loop */
    public EventLoopThread(EventLoopGroup group, NodeClock clock) {
        this.group = group;
        this.loop = group.next();
        this.failures = new LogThrottle(LOG, clock::nanos);
    }

    /** Returns the Netty group for connections of this loop. */
    EventLoopGroup group() {
        return group;
    }

    /** Runs the task at once on the loop's own thread, else enqueues it. */
    public void run(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            execute(task);
        }
    }

    /**
     * Enqueues the task.
     *
     * @return false if the loop is closed and the task will not run
     */
    public boolean execute(Runnable task) {
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    /** Runs the task after the delay, unless the loop is closed before. Logs its failure. */
    public void schedule(long nanos, Runnable task) {
        try {
            loop.schedule(() -> runGuarded(task), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // A closed loop runs no more tasks.
        }
    }

    /** Runs the task repeatedly until the loop is closed, even if it throws. */
    public void scheduleRepeatedly(long nanos, Runnable task) {
        schedule(nanos, () -> {
            runGuarded(task);
            scheduleRepeatedly(nanos, task);
        });
    }

    /** Logs a failure at a limited rate. Otherwise the loop would keep it in a future that nothing reads. */
    private void runGuarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable bug) {
            logFailure(bug);
        }
    }

    private void logFailure(Throwable bug) {
        try {
            failures.error("Scheduled task failed", bug);
        } catch (Throwable unloggable) {
            // Without memory, logging fails too. The next run may succeed.
        }
    }

    /** Returns an executor that runs tasks on the loop. Its shutdown has no effect. */
    ExecutorService executor() {
        return new LoopExecutor();
    }

    /** Runs the enqueued tasks, then ends the thread. Does not block. */
    public void close() {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS);
    }

    private final class LoopExecutor extends AbstractExecutorService {

        @Override
        public void execute(Runnable task) {
            run(task);
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return loop.isShuttingDown();
        }

        @Override
        public boolean isTerminated() {
            return loop.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return loop.awaitTermination(timeout, unit);
        }
    }
}
