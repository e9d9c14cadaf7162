package io.iocluster.node.chaos;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.thread.DaemonThreadFactory;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how much longer than its CPU time a busy thread takes on this machine now, because other processes use the CPU too or the
 * machine pauses. Time limits are multiplied by it, so that they are strict on a quiet machine and hold on a crowded one. Thread-safe.
 */
final class CpuContentionProbe implements AutoCloseable {

    private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(95);
    private static final int BURSTS = 10;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Thread thread = DaemonThreadFactory.newThread("cpu-contention-probe", this::measure);
    private volatile boolean closed;

    @GuardedBy("this")
    private double worst = 1;

    CpuContentionProbe() {
        thread.start();
    }

    /** Returns the factor of the worst second since the previous call; at least 1. */
    synchronized double takeWorst() {
        double factor = worst;
        worst = 1;
        return factor;
    }

    private void measure() {
        while (!closed) {
            long took = 0;
            for (int i = 0; i < BURSTS; i++) {
                took += burst() + lateAfterIdle();
            }
            observe((double) took / (BURSTS * BUSY_NANOS));
        }
    }

    private synchronized void observe(double factor) {
        worst = Math.max(worst, factor);
    }

    private long burst() {
        long start = System.nanoTime();
        long end = threads.getCurrentThreadCpuTime() + BUSY_NANOS;
        while (threads.getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
        return System.nanoTime() - start;
    }

    /** Returns how much longer than intended the thread was idle: a pause of the machine is not in a burst most of the time. */
    private static long lateAfterIdle() {
        long start = System.nanoTime();
        LockSupport.parkNanos(IDLE_NANOS);
        return Math.max(0, System.nanoTime() - start - IDLE_NANOS);
    }

    @Override
    public void close() {
        closed = true;
    }
}
