package io.iocluster.rabbit.connection;

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
 * The one thread of a source or a sink: it owns their state and does the connection's reading and writing, so that a delivery
 * is handed over and a confirmation is matched on the thread that read it. It outlives connections. Nothing on it may wait for
 * the broker. Any thread may call.
 */
public final class EventLoopThread {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoopThread.class);

    private final EventLoopGroup group;
    private final EventLoop loop;

    public EventLoopThread(String threadName) {
        this.group = new MultiThreadIoEventLoopGroup(
                1,
                new DefaultThreadFactory(threadName, true),
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        this.loop = group.next();
    }

    /** For the connections of this loop. */
    EventLoopGroup group() {
        return group;
    }

    /** Does the task at once if this is the loop's own thread, and soon otherwise. */
    public void run(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            execute(task);
        }
    }

    /**
     * Does the task soon.
     *
     * @return false if the loop is closed, so that it never will
     */
    public boolean execute(Runnable task) {
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    /** Does the task in so long, unless the loop is closed before. */
    public void schedule(long nanos, Runnable task) {
        try {
            loop.schedule(guarded(task), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // As said: then it never is.
        }
    }

    /** Runs the task repeatedly until the loop is closed, even if it throws. */
    public void scheduleRepeatedly(long nanos, Runnable task) {
        loop.scheduleWithFixedDelay(guarded(task), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** Wraps the task to log its failure. Otherwise the loop would keep it in an unread future and not run the task again. */
    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable bug) {
                LOG.error("Scheduled task failed", bug);
            }
        };
    }

    /** The loop for those who know only executors; to shut it down does nothing. */
    ExecutorService executor() {
        return new OfLoop();
    }

    /** Does what is there already, then ends the thread, without waiting for it. */
    public void close() {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS);
    }

    private final class OfLoop extends AbstractExecutorService {

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
