package io.iocluster.lab.bench.run;

import java.util.concurrent.locks.LockSupport;

/**
 * Sends calls at a steady rate in an open loop: each when it is due, whether or not the last one is back. Sends from a thread
 * of its own; the rest is for any thread.
 */
public final class Pacer {

    private final Thread thread = new Thread(this::run, "pacer");
    private final long startNanos;
    private final long gapNanos;
    private final long calls;
    private final CallSink sending;

    /** Sends one call. Used by the pacer's thread alone. */
    public interface CallSink {

        /** The call of this number, counted from 0, is due. */
        void send(long number, long dueNanos);
    }

    /**
     * A pacer that has yet to be started.
     *
     * @param startNanos when the first call is due
     * @param rate calls a second
     * @param calls how many there are
     */
    public Pacer(long startNanos, int rate, long calls, CallSink sending) {
        this.startNanos = startNanos;
        this.gapNanos = 1_000_000_000L / rate;
        this.calls = calls;
        this.sending = sending;
    }

    public void start() {
        thread.start();
    }

    /** The number of the call that was due then. */
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
                sending.send(number++, due);
            }
        }
    }

    /** Waits until all is sent. */
    public void awaitSent() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
