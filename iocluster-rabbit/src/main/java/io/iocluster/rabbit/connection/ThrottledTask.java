package io.iocluster.rabbit.connection;

import io.iocluster.thread.NodeClock;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a task on a loop after each request, with a minimum interval between two runs. {@link #request} is thread-safe; the rest is
 * confined to the loop. Under load one run serves many requests; after an idle time it starts at once.
 */
public final class ThrottledTask {

    private final EventLoopThread loop;
    private final NodeClock clock;
    private final Runnable task;
    private final long minIntervalNanos;
    private final AtomicBoolean requested = new AtomicBoolean();
    private long lastRunNanos;

    /**
     * Creates a task that is not scheduled yet.
     *
     * @param minIntervalNanos from the start of one run to the start of the next
     */
    public ThrottledTask(EventLoopThread loop, NodeClock clock, long minIntervalNanos, Runnable task) {
        this.loop = loop;
        this.clock = clock;
        this.minIntervalNanos = minIntervalNanos;
        this.task = task;
        this.lastRunNanos = clock.nanos() - minIntervalNanos;
    }

    /** Requests a run. That run sees everything written before this call. */
    public void request() {
        if (!requested.get() && requested.compareAndSet(false, true)) {
            loop.execute(this::schedule);
        }
    }

    private void schedule() {
        long wait = lastRunNanos + minIntervalNanos - clock.nanos();
        if (wait > 0) {
            loop.schedule(wait, this::run);
        } else {
            run();
        }
    }

    private void run() {
        lastRunNanos = clock.nanos();
        requested.set(false);
        task.run();
    }
}
