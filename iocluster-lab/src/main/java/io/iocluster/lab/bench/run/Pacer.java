package io.iocluster.lab.bench.run;

import io.iocluster.thread.DaemonThreadFactory;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends calls at a steady rate in an open loop: each when it is due, whether or not earlier calls have ended. Sends
 * from a separate thread. Thread-safe.
 */
public final class Pacer {

    private final Thread thread = DaemonThreadFactory.newThread("pacer", this::run);
    private final long startNanos;
    private final long gapNanos;
    private final long calls;
    private final CallSink sink;

    /** Sends calls. Confined to the pacer's thread. */
    public interface CallSink {

        /** Sends the call with this number, counted from 0. */
        void send(long number, long dueNanos);
    }

    /**
     * Creates a pacer that is not started.
     *
     * @param startNanos when the first call is due, by {@code nanoTime}
     * @param rate calls per second
     * @param calls total number of calls
     */
    public Pacer(long startNanos, int rate, long calls, CallSink sink) {
        this.startNanos = startNanos;
        this.gapNanos = 1_000_000_000L / rate;
        this.calls = calls;
        this.sink = sink;
    }

    public void start() {
        thread.start();
    }

    /** Returns the number of the call that was due at this time. */
    public long callNumber(long dueNanos) {
        return (dueNanos - startNanos) / gapNanos;
    }

    private long dueNanos(long number) {
        return startNanos + number * gapNanos;
    }

    private void run() {
        long number = 0;
        while (number < calls) {
            long due = dueNanos(number);
            long wait = due - System.nanoTime();
            if (wait > 0) {
                LockSupport.parkNanos(wait);
            } else {
                sink.send(number++, due);
            }
        }
    }

    /** Waits until all calls are sent. */
    public void awaitSent() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
