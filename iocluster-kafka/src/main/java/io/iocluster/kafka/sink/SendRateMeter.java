package io.iocluster.kafka.sink;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Detects a high send rate, measured in consecutive intervals. Thread-safe. */
final class SendRateMeter {

    private final long intervalNanos;
    private final long thresholdPerSecond;
    private final LongAdder count = new LongAdder();
    private final AtomicLong intervalStart = new AtomicLong();
    private volatile boolean isHigh;

    /**
     * Creates a meter.
     *
     * @param thresholdPerSecond messages per second from which the rate is high
     */
    SendRateMeter(long thresholdPerSecond, long intervalNanos) {
        this.intervalNanos = intervalNanos;
        this.thresholdPerSecond = thresholdPerSecond;
    }

    /** Counts a message. Returns whether the rate was high in the last complete interval. */
    boolean mark(long now) {
        count.increment();
        long start = intervalStart.get();
        if (now - start >= intervalNanos && intervalStart.compareAndSet(start, now)) {
            isHigh = count.sumThenReset() * 1e9 / (now - start) >= thresholdPerSecond;
        }
        return isHigh;
    }
}
