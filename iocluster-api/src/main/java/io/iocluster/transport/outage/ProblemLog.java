package io.iocluster.transport.outage;

import java.time.Duration;
import org.slf4j.Logger;

/**
 * The current problem of one component, with rate-limited logging: one WARN when it starts, at most one a minute while
 * it lasts, and one INFO when it ends. Thread-safe.
 */
public final class ProblemLog {

    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private final Logger log;
    private volatile String problem;
    private boolean logged;
    private long loggedAt;

    /**
     * Creates a log for one component.
     *
     * @param initial the problem until the first {@link #clear}, or null
     */
    public ProblemLog(Logger log, String initial) {
        this.log = log;
        this.problem = initial;
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
        if (!logged || now - loggedAt >= INTERVAL_NANOS) {
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
