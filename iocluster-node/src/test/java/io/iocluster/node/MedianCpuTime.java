package io.iocluster.node;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.stream.LongStream;

/** Measures what code costs. Use it in tests with the tag {@code measured}. */
public final class MedianCpuTime {

    private static final int WARM_UP = 150;
    private static final int RUNS = 21;
    private static final double NANOS_PER_MILLI = 1e6;

    private MedianCpuTime() {}

    /** Returns the CPU time of a run after a warm-up, because a busy test machine may pause at any time. */
    public static double millis(Runnable code) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM_UP; i++) {
            code.run();
        }
        long[] nanosEach = LongStream.range(0, RUNS)
                .map(i -> {
                    long start = threads.getCurrentThreadCpuTime();
                    code.run();
                    return threads.getCurrentThreadCpuTime() - start;
                })
                .sorted()
                .toArray();
        return nanosEach[RUNS / 2] / NANOS_PER_MILLI;
    }
}
