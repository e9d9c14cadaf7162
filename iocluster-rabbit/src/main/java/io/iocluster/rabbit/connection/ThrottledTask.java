package io.iocluster.rabbit.connection;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has a loop do one task whenever it was asked for, but no more often than so: under load one turn then serves many who asked,
 * and when there is little to do it comes at once. Any thread asks; the rest is confined to the loop.
 */
public final class ThrottledTask {

    private final EventLoopThread loop;
    private final Runnable turn;
    private final long leastNanos;
    private final AtomicBoolean asked = new AtomicBoolean();
    private long last;

    /**
     * Makes turns.
     *
     * @param leastNanos from one turn to the next
     */
    public ThrottledTask(EventLoopThread loop, long leastNanos, Runnable turn) {
        this.loop = loop;
        this.leastNanos = leastNanos;
        this.turn = turn;
        this.last = System.nanoTime() - leastNanos;
    }

    /** What was done before this call is seen by the next turn, which will come. */
    public void request() {
        if (!asked.get() && asked.compareAndSet(false, true)) {
            loop.execute(this::begin);
        }
    }

    private void begin() {
        long wait = last + leastNanos - System.nanoTime();
        if (wait > 0) {
            loop.schedule(wait, this::take);
        } else {
            take();
        }
    }

    private void take() {
        last = System.nanoTime();
        asked.set(false);
        turn.run();
    }
}
