package io.iocluster.lab.load.agent;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The wall clock of this process as it was set at the start. Later steps of the wall clock do not change it, so that a start time that is
 * announced before a step is still right after it. Thread-safe.
 */
final class SteadyClock {

    private final LongSupplier nanos;
    private final long startNanos;
    private final long startMicros;

    /**
     * Creates a clock.
     *
     * @param wallMicros the wall clock, in microseconds since the epoch
     * @param nanos a monotonic clock, as {@link System#nanoTime}
     */
    SteadyClock(LongSupplier wallMicros, LongSupplier nanos) {
        this.nanos = nanos;
        this.startNanos = nanos.getAsLong();
        this.startMicros = wallMicros.getAsLong();
    }

    /** Returns a clock of this process. */
    static SteadyClock ofSystem() {
        return new SteadyClock(() -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()), System::nanoTime);
    }

    /** Returns the time in microseconds since the epoch. */
    long micros() {
        return startMicros + TimeUnit.NANOSECONDS.toMicros(nanos.getAsLong() - startNanos);
    }
}
