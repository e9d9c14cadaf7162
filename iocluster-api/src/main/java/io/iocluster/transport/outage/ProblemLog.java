package io.iocluster.transport.outage;

import java.time.Duration;
import org.slf4j.Logger;

/**
 * What keeps one part of the transport from working, and its line in the log: one at the start, one a minute while it lasts,
 * one when it is over. Any thread may call.
 */
public final class ProblemLog {

    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private final Logger log;
    private volatile String problem;
    private boolean logged;
    private long loggedAt;

    /**
     * A log of one part.
     *
     * @param first the problem it has until it works for the first time, or null
     */
    public ProblemLog(Logger log, String first) {
        this.log = log;
        this.problem = first;
    }

    /** For people; null if there is none. */
    public String problem() {
        return problem;
    }

    /**
     * Something keeps it from working.
     *
     * @param cause null if there is nothing more to say
     */
    public synchronized void raise(String what, Throwable cause) {
        problem = cause == null ? what : what + ": " + RootCause.message(cause);
        long now = System.nanoTime();
        if (!logged || now - loggedAt >= INTERVAL_NANOS) {
            logged = true;
            loggedAt = now;
            log.warn("{}; trying again until it works", problem);
            log.debug("The cause", cause);
        }
    }

    /** It works. Cheap where it did before. */
    public void clear() {
        if (problem != null) {
            over();
        }
    }

    private synchronized void over() {
        problem = null;
        if (logged) {
            logged = false;
            log.info("Works again");
        }
    }
}
