package io.iocluster.log;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs a repeated event: the first one at once, then at most one line in an interval, with the number of events suppressed since the last
 * line. Can also log when the events are over. Thread-safe.
 */
public final class LogThrottle {

    /** Returned by {@link #pollSuppressed} for an event that must not be logged. */
    public static final long NOT_DUE = -1;

    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);

    private final Logger log;
    private final LongSupplier nanos;
    private final long intervalNanos;
    private final AtomicLong due;
    private final LongAdder suppressed = new LongAdder();
    /** Whether there was a line since the events were last over. */
    private final AtomicBoolean logged = new AtomicBoolean();

    /**
     * Creates a throttle with an interval of ten seconds.
     *
     * @param nanos a monotonic clock, such as {@link System#nanoTime}
     */
    public LogThrottle(Logger log, LongSupplier nanos) {
        this(log, DEFAULT_INTERVAL, nanos);
    }

    /**
     * Creates a throttle.
     *
     * @param interval minimum time between two lines
     * @param nanos a monotonic clock
     */
    public LogThrottle(Logger log, Duration interval, LongSupplier nanos) {
        this.log = log;
        this.nanos = nanos;
        this.due = new AtomicLong(nanos.getAsLong());
        this.intervalNanos = interval.toNanos();
    }

    /** Records an event, and logs it at WARN if a line is due. Returns whether it was logged. See {@link #log}. */
    public boolean warn(String message, Object... facts) {
        return log(Level.WARN, UnaryOperator.identity(), message, facts);
    }

    /** Records an event, and logs it at ERROR if a line is due. Returns whether it was logged. See {@link #log}. */
    public boolean error(String message, Object... facts) {
        return log(Level.ERROR, UnaryOperator.identity(), message, facts);
    }

    /**
     * Records an event, and logs it if a line is due.
     *
     * @param context adds to the line what is not text, such as a key-value pair or a cause
     * @param message the text of the line, without the number of suppressed events, which ends it
     * @param facts the values in the text; a {@link Throwable} is not one of them, but the cause of the event
     * @return whether the event was logged
     */
    public boolean log(Level level, UnaryOperator<LoggingEventBuilder> context, String message, Object... facts) {
        long count = pollSuppressed();
        if (count == NOT_DUE) {
            return false;
        }
        logged.set(true);
        LoggingEventBuilder line = context.apply(log.atLevel(level));
        for (Object fact : facts) {
            line = fact instanceof Throwable cause ? line.setCause(cause) : line.addArgument(fact);
        }
        line.addArgument(count).log(message + " suppressed={}");
        return true;
    }

    /** Returns whether an event that is recorded now would be logged, unless another thread is faster. */
    public boolean isDue() {
        return nanos.getAsLong() - due.get() >= 0;
    }

    /** Logs at INFO that the events are over. Does nothing if none was logged since the last time. */
    public void over(String message, Object... facts) {
        if (logged.get() && logged.getAndSet(false)) {
            log.info(message, facts);
        }
    }

    /**
     * Records an event whose line the caller writes.
     *
     * @return the number of events suppressed since the last line if this one must be logged, else {@link #NOT_DUE}
     */
    public long pollSuppressed() {
        long now = nanos.getAsLong();
        long next = due.get();
        if (now - next >= 0 && due.compareAndSet(next, now + intervalNanos)) {
            return suppressed.sumThenReset();
        }
        suppressed.increment();
        return NOT_DUE;
    }
}
