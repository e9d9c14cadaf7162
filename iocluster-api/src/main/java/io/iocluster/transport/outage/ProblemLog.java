package io.iocluster.transport.outage;

import io.iocluster.settings.DurationText;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import org.slf4j.Logger;

/**
 * The current problem of one component, with rate-limited logging: one line when it starts, at most one in an interval
 * while it lasts, and one INFO when it ends, which says how long it took. Thread-safe.
 */
public final class ProblemLog {

    private static final Duration DEFAULT_INTERVAL = Duration.ofMinutes(1);

    /** Durations from this one on are logged in whole seconds. */
    private static final Duration COARSE_FROM = Duration.ofSeconds(10);

    private final Logger log;
    private final String facts;
    private final long intervalNanos;
    private final NodeClock clock;
    private volatile String problem;
    private boolean lasts;
    private boolean logged;
    private boolean warned;
    private long since;
    private long loggedAt;

    /**
     * Creates a log for one component, with an interval of one minute.
     *
     * @param initial the problem until the first {@link #clear}, or null
     */
    public ProblemLog(Logger log, String initial, NodeClock clock) {
        this(log, initial, "", DEFAULT_INTERVAL, clock);
    }

    /**
     * Creates a log for one component that uses a broker, with an interval of one minute.
     *
     * @param initial the problem until the first {@link #clear}, or null
     * @param broker the broker's addresses without credentials, which each line names
     */
    public static ProblemLog ofBroker(Logger log, String initial, String broker, NodeClock clock) {
        return new ProblemLog(log, initial, " broker=" + broker, DEFAULT_INTERVAL, clock);
    }

    /**
     * Creates a log for one component.
     *
     * @param initial the problem until the first {@link #clear}, or null
     * @param interval minimum time between two warnings while the problem lasts
     */
    public ProblemLog(Logger log, String initial, Duration interval, NodeClock clock) {
        this(log, initial, "", interval, clock);
    }

    private ProblemLog(Logger log, String initial, String facts, Duration interval, NodeClock clock) {
        this.clock = clock;
        this.log = log;
        this.facts = facts;
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
        if (isDue(!warned)) {
            warned = true;
            log.warn("{}; retrying{}", problem, facts);
            log.debug("Cause of the problem", cause);
        }
    }

    /** Sets the problem and logs it at INFO, because another component warns of its cause. A later {@link #raise} warns at once. */
    public synchronized void inform(String what) {
        problem = what;
        if (isDue(false)) {
            log.info("{}; retrying{}", problem, facts);
        }
    }

    private boolean isDue(boolean more) {
        long now = clock.nanos();
        if (!lasts) {
            lasts = true;
            since = now;
        }
        if (!logged || more || now - loggedAt >= intervalNanos) {
            logged = true;
            loggedAt = now;
            return true;
        }
        return false;
    }

    /** Clears the problem and logs the recovery. Cheap if there is no problem. */
    public void clear() {
        if (problem != null) {
            recover();
        }
    }

    private synchronized void recover() {
        String last = problem;
        problem = null;
        lasts = false;
        if (logged) {
            logged = false;
            warned = false;
            log.info("Recovered after={}{} problem=\"{}\"", elapsed(), facts, last);
        }
    }

    private String elapsed() {
        Duration elapsed = Duration.ofMillis((clock.nanos() - since) / 1_000_000);
        return DurationText.format(
                elapsed.compareTo(COARSE_FROM) < 0 ? elapsed : Duration.ofSeconds(elapsed.toSeconds()));
    }
}
