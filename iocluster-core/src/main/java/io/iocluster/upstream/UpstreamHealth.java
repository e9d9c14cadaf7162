package io.iocluster.upstream;

/** The results of one upstream's health checks. Healthy until checks fail. Guarded by the lock of its {@link UpstreamBalancer}. */
final class UpstreamHealth {

    private long dueNanoTime;
    private boolean healthy = true;
    private int passedInARow;
    private int failedInARow;
    private String problem;

    /** Creates the state of an upstream whose first check is due at this time. */
    UpstreamHealth(long firstDue) {
        this.dueNanoTime = firstDue;
    }

    boolean isHealthy() {
        return healthy;
    }

    /** Returns why the last check failed; null if it passed or there was none. */
    String problem() {
        return problem;
    }

    /** Returns whether a check is due, and schedules the next one then. */
    boolean startIfDue(HealthCheckSettings settings, long now) {
        if (now - dueNanoTime < 0) {
            return false;
        }
        dueNanoTime = now + settings.interval().toNanos();
        return true;
    }

    /**
     * Records the result of a check.
     *
     * @param failure why it failed; null if it passed
     * @return whether the upstream became healthy or unhealthy
     */
    boolean record(String failure, HealthCheckSettings settings) {
        problem = failure;
        passedInARow = failure == null ? passedInARow + 1 : 0;
        failedInARow = failure == null ? 0 : failedInARow + 1;
        boolean before = healthy;
        if (healthy ? failedInARow >= settings.fall() : passedInARow >= settings.rise()) {
            healthy = !healthy;
        }
        return healthy != before;
    }

    /** Forgets all results, because checks are disabled. */
    void reset() {
        healthy = true;
        problem = null;
        passedInARow = 0;
        failedInARow = 0;
    }
}
