package io.iocluster.upstream;

import io.iocluster.http.UpstreamAddress;
import io.iocluster.recent.RollingCount;
import java.time.Duration;

/** The state of one upstream. Guarded by the lock of its {@link UpstreamBalancer}. */
final class Upstream {

    private static final double FIRST_SHARE = 0.1;

    /** A failed attempt counts as one that took at least this many times the usual latency. */
    private static final double FAILURE_PENALTY = 10;

    private final UpstreamAddress address;
    private final UpstreamHealth health;
    private final UpstreamLatency latency = new UpstreamLatency();
    /** The attempts that started in the last 10 to 20 seconds. */
    private final RollingCount started;

    private boolean slowStarting;
    private long startNanoTime;

    private boolean ejected;
    private boolean removed;
    private String ejectionReason;
    private long ejectedUntil;
    private long ejectionNanos;
    private int ejectionsInARow;

    private int consecutiveFailures;
    private long intervalStart;
    private int intervalAttempts;
    private int intervalFailures;

    private long successes;
    private long failures;
    private long ignored;
    private long ejections;

    /**
     * Creates an upstream that was not called yet.
     *
     * @param slowStart whether its share rises slowly, because other upstreams are in use already
     * @param firstCheck when its first health check is due
     */
    Upstream(UpstreamAddress address, boolean slowStart, long now, long firstCheck) {
        this.address = address;
        this.health = new UpstreamHealth(firstCheck);
        this.started = new RollingCount(2, Duration.ofSeconds(10), now);
        this.slowStarting = slowStart;
        this.startNanoTime = now;
        this.intervalStart = now;
    }

    UpstreamAddress address() {
        return address;
    }

    UpstreamHealth health() {
        return health;
    }

    boolean isEjected() {
        return ejected;
    }

    boolean isRemoved() {
        return removed;
    }

    long ejectedUntil() {
        return ejectedUntil;
    }

    long ejectionNanos() {
        return ejectionNanos;
    }

    void remove() {
        removed = true;
    }

    void start(long now) {
        latency.start(now);
        started.add(1, now);
    }

    /**
     * Returns whether a further call costs at most as much as one to the other upstream: (attempts in flight + 1) × latency². With the plain
     * latency, an upstream that is ten times slower gets enough calls to decide the p99.
     */
    boolean costsAtMost(Upstream other, long now) {
        double mine = latency.nanos(now);
        double others = other.latency.nanos(now);
        int inFlight = latency.inFlight();
        int othersInFlight = other.latency.inFlight();
        // Without a latency, an upstream would look free, and get all calls until the first one ends.
        return mine == 0 || others == 0
                ? inFlight <= othersInFlight
                : (inFlight + 1) * mine * mine <= (othersInFlight + 1) * others * others;
    }

    /** Returns the part of its calls that the upstream accepts now, from 0 to 1. */
    double share(long now, long slowStartNanos) {
        if (!slowStarting) {
            return 1;
        }
        long age = now - startNanoTime;
        if (age >= slowStartNanos) {
            slowStarting = false;
            return 1;
        }
        return FIRST_SHARE + (1 - FIRST_SHARE) * age / slowStartNanos;
    }

    /**
     * Records the end of an attempt.
     *
     * @param usualNanos the usual latency of all upstreams of the destination
     */
    void end(UpstreamResult result, long elapsedNanos, double usualNanos, long now, long intervalNanos) {
        latency.end(now);
        if (result == UpstreamResult.UNFINISHED) {
            latency.addAtLeast(elapsedNanos, now);
        }
        if (result == UpstreamResult.UNFINISHED || result == UpstreamResult.IGNORED) {
            ignored++;
            return;
        }
        if (now - intervalStart >= intervalNanos) {
            startInterval(now);
        }
        intervalAttempts++;
        if (result == UpstreamResult.SUCCESS) {
            successes++;
            consecutiveFailures = 0;
            latency.add(elapsedNanos, now);
        } else {
            failures++;
            intervalFailures++;
            consecutiveFailures++;
            // An upstream that fails at once would look fast and attract calls.
            latency.add(Math.max(Math.max(elapsedNanos, latency.meanNanos()), FAILURE_PENALTY * usualNanos), now);
        }
    }

    private void startInterval(long now) {
        intervalStart = now;
        intervalAttempts = 0;
        intervalFailures = 0;
    }

    /** Returns why the upstream should be ejected; null if it should not. */
    String ejectionReason(EjectionSettings settings) {
        if (settings.consecutiveFailures() > 0 && consecutiveFailures >= settings.consecutiveFailures()) {
            return "consecutive-failures";
        }
        boolean tooMany = settings.failurePercent() > 0
                && intervalAttempts >= settings.minAttempts()
                && intervalFailures * 100L >= (long) settings.failurePercent() * intervalAttempts;
        return tooMany ? "failure-percent" : null;
    }

    /** Starts an ejection. It is the next one in a row if the upstream returned less than the last ejection's duration ago. */
    void eject(String reason, EjectionSettings settings, long now) {
        boolean again = ejectionsInARow > 0 && now - ejectedUntil < ejectionNanos;
        ejectionsInARow = again ? ejectionsInARow + 1 : 1;
        ejectionNanos = settings.ejectionNanos(ejectionsInARow);
        ejectedUntil = now + ejectionNanos;
        ejectionReason = reason;
        ejected = true;
        ejections++;
    }

    /** Ends an ejection. What happened before it no longer counts. */
    void endEjection(long now) {
        ejected = false;
        ejectedUntil = now;
        startSlowly(now);
    }

    /** Lets the share of the upstream rise slowly. Failures and latencies before do not count. */
    void startSlowly(long now) {
        latency.reset();
        slowStarting = true;
        startNanoTime = now;
        consecutiveFailures = 0;
        startInterval(now);
    }

    /** Returns the number of attempts that started recently. */
    long recentlyStarted(long now) {
        return started.sum(now);
    }

    /** @param allStarted attempts to all upstreams of the destination that started recently */
    UpstreamStatus status(String destination, long now, long slowStartNanos, long allStarted) {
        UpstreamState state = state(now, slowStartNanos);
        return new UpstreamStatus(
                destination,
                address.toString(),
                address.zone(),
                state,
                ejected ? Math.max(0, (ejectedUntil - now) / 1_000_000) : 0,
                state == UpstreamState.UNHEALTHY ? health.problem() : ejected ? ejectionReason : null,
                latency.inFlight(),
                latency.nanos(now) / 1e6,
                allStarted == 0 ? 0 : (double) recentlyStarted(now) / allStarted,
                successes,
                failures,
                ignored,
                ejections);
    }

    private UpstreamState state(long now, long slowStartNanos) {
        if (!health.isHealthy()) {
            return UpstreamState.UNHEALTHY;
        }
        if (ejected) {
            return UpstreamState.EJECTED;
        }
        return share(now, slowStartNanos) < 1 ? UpstreamState.SLOW_START : UpstreamState.ACTIVE;
    }
}
