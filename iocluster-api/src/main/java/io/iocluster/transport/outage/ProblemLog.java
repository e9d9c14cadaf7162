package io.iocluster.transport.outage;

import java.time.Duration;
import org.slf4j.Logger;

/**
 * The current problem of one component, with rate-limited logging: one WARN when it starts, at most one in an interval
 * while it lasts, and one INFO when it ends. Thread-safe.
 */
public final class ProblemLog {

    private static final Duration DEFAULT_INTERVAL = Duration.ofMinutes(1);

    private final Logger log;
    private final long intervalNanos;
    private volatile String problem;
    private boolean logged;
    private long loggedAt;

    /**
     * Creates a log for one component, with an interval of one minute.
     *
     * @param initial the problem until the first {@link #clear}, or null
     */
    public ProblemLog(Logger log, String initial) {
        this(log, initial, DEFAULT_INTERVAL);
    }

    /**
     * Creates a log for one component.
     *
     * @param initial the problem until the first {@link #clear}, or null
     * @param interval minimum time between two warnings while the problem lasts
     */
    public ProblemLog(Logger log, String initial, Duration interval) {
        this.log = log;
        this.problem = initial;
        this.intervalNanos = interval.toNanos();
    }

    /** Returns the human-readable problem; null if there is none. */
    public String problem() {
        return problem;
    }

    /**
     * Sets the problem and logs it.
     *
     * @param cause null if {@code what} says it all
     */
    public synchronized void raise(String what, Throwable cause) {
        problem = cause == null ? what : what + ": " + RootCause.message(cause);
        long now = System.nanoTime();
        if (!logged || now - loggedAt >= intervalNanos) {
            logged = true;
            loggedAt = now;
            log.warn("{}; retrying", problem);
            log.debug("Cause of the problem", cause);
        }
    }

    /** Clears the problem and logs the recovery. Cheap if there is no problem. */
    public void clear() {
        if (problem != null) {
            recover();
        }
    }

    private synchronized void recover() {
        problem = null;
        if (logged) {
            logged = false;
            log.info("Recovered");
        }
    }
}
