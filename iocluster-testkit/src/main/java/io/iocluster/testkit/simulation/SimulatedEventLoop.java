package io.iocluster.testkit.simulation;

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
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** An event loop of Netty without a thread and without channels. Confined to the thread of the simulation. */
public final class SimulatedEventLoop extends AbstractEventLoop {

    private final SimulatedProcess process;
    private final SerialQueue thread;
    private final DefaultPromise<Void> terminated = new DefaultPromise<>(ImmediateEventExecutor.INSTANCE);
    private boolean shutdown;

    /** Creates a loop that runs. */
    public SimulatedEventLoop(SimulatedProcess process) {
        this.process = process;
        this.thread = new SerialQueue(process);
    }

    private final class Timer<V> extends DefaultPromise<V> implements ScheduledFuture<V> {

        private final long atNanos;

        Timer(long atNanos) {
            super(ImmediateEventExecutor.INSTANCE);
            this.atNanos = atNanos;
        }

        private void run(Callable<V> task) {
            if (!shutdown && setUncancellable()) {
                try {
                    setSuccess(task.call());
                } catch (ProcessKilled | EndlessRun killed) {
                    throw killed;
                } catch (Throwable failure) {
                    setFailure(failure);
                }
            }
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

    @Override
    public void execute(Runnable task) {
        if (shutdown) {
            throw new RejectedExecutionException("event loop is shut down");
        }
        for (int runs = process.disturbance().runs(); runs > 0; runs--) {
            thread.add(() -> {
                if (!shutdown) {
                    task.run();
                }
            });
        }
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return schedule(Executors.callable(task), delay, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        long nanos = unit.toNanos(delay);
        Timer<V> timer = new Timer<>(process.nanos() + nanos);
        process.setTimer(nanos, () -> thread.add(() -> timer.run(task)));
        return timer;
    }

    @Override
    public EventLoopGroup parent() {
        return this;
    }

    @Override
    public boolean inEventLoop(Thread ignored) {
        return thread.isRunning();
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
        throw new UnsupportedOperationException("a simulated event loop has no channels");
    }

    @Override
    public ChannelFuture register(ChannelPromise promise) {
        throw new UnsupportedOperationException("a simulated event loop has no channels");
    }

    @Override
    @Deprecated
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        throw new UnsupportedOperationException("a simulated event loop has no channels");
    }
}
