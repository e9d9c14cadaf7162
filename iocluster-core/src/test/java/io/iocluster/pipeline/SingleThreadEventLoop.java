package io.iocluster.pipeline;

import io.netty.channel.AbstractEventLoop;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** An event loop without a thread and without channels, on the virtual time of its platform. */
final class SingleThreadEventLoop extends AbstractEventLoop {

    private final SingleThreadPlatform platform;
    private final DefaultPromise<Void> terminated = new DefaultPromise<>(ImmediateEventExecutor.INSTANCE);
    private int running;
    private boolean shutdown;

    SingleThreadEventLoop(SingleThreadPlatform platform) {
        this.platform = platform;
    }

    private final class Timer<V> extends DefaultPromise<V> implements ScheduledFuture<V> {

        private final long atNanos;

        Timer(long atNanos) {
            super(ImmediateEventExecutor.INSTANCE);
            this.atNanos = atNanos;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(atNanos - platform.nanos(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    @Override
    public void execute(Runnable task) {
        if (shutdown) {
            throw new RejectedExecutionException();
        }
        platform.after(0, () -> run(task));
    }

    private void run(Runnable task) {
        running++;
        try {
            task.run();
        } finally {
            running--;
        }
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
        Timer<V> timer = new Timer<>(platform.nanos() + unit.toNanos(delay));
        platform.after(unit.toNanos(delay), () -> {
            if (!shutdown && timer.setUncancellable()) {
                run(() -> complete(timer, task));
            }
        });
        return timer;
    }

    private static <V> void complete(Timer<V> timer, Callable<V> task) {
        try {
            timer.setSuccess(task.call());
        } catch (Exception failure) {
            timer.setFailure(failure);
        }
    }

    @Override
    public EventLoopGroup parent() {
        return this;
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return running > 0;
    }

    @Override
    public boolean isShuttingDown() {
        return shutdown;
    }

    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        shutdown = true;
        terminated.trySuccess(null);
        return terminated;
    }

    @Override
    public Future<?> terminationFuture() {
        return terminated;
    }

    @Override
    @Deprecated
    public void shutdown() {
        shutdownGracefully(0, 0, TimeUnit.SECONDS);
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
        return shutdown;
    }

    @Override
    public ChannelFuture register(Channel channel) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ChannelFuture register(ChannelPromise promise) {
        throw new UnsupportedOperationException();
    }

    @Override
    @Deprecated
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        throw new UnsupportedOperationException();
    }
}
