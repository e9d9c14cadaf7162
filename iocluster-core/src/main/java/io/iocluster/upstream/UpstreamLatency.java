package io.iocluster.upstream;

/** The recent latency of one upstream, and its attempts in flight. Guarded by the lock of its {@link UpstreamBalancer}. */
final class UpstreamLatency {

    private static final double NEW_WEIGHT = 1.0 / 16;
    private static final double HALF_LIFE_NANOS = 10e9;

    private int inFlight;

    /** When the last attempt ended, or the first of those in flight started if that was later. */
    private long progressNanoTime;

    private double meanNanos;
    private long meanNanoTime;

    int inFlight() {
        return inFlight;
    }

    void start(long now) {
        if (inFlight == 0) {
            progressNanoTime = now;
        }
        inFlight++;
    }

    void end(long now) {
        inFlight--;
        progressNanoTime = now;
    }

    /** Adds the latency of an attempt that has ended. A mean that is older counts less. */
    void add(double elapsedNanos, long now) {
        // At least 1, because 0 means that no attempt has ended yet.
        double observed = Math.max(1, elapsedNanos);
        double freshness = freshness(now);
        double before = meanNanos * freshness;
        double weight = Math.max(NEW_WEIGHT, 1 - freshness);
        meanNanos = meanNanos == 0 ? observed : before + weight * (observed - before);
        meanNanoTime = now;
    }

    /** Adds the time of an attempt that would have taken longer. It says something only if it is above the mean. */
    void addAtLeast(double elapsedNanos, long now) {
        if (elapsedNanos > meanNanos) {
            add(elapsedNanos, now);
        }
    }

    /**
     * Returns the latency of recent attempts; 0 if there was none. It rises while attempts are in flight and none ends, because one of them
     * takes at least that long. It falls while the upstream is idle, because an upstream that was slow gets few calls, and would otherwise
     * never show that it has recovered.
     */
    double nanos(long now) {
        return inFlight > 0 ? Math.max(meanNanos, now - progressNanoTime) : meanNanos * freshness(now);
    }

    /** Forgets the latency of attempts that have ended. */
    void reset() {
        meanNanos = 0;
    }

    /** Returns the mean without its age. */
    double meanNanos() {
        return meanNanos;
    }

    /** Returns how much the mean still says, from 1 down to 0. It halves every ten seconds. */
    private double freshness(long now) {
        long age = now - meanNanoTime;
        return age <= 0 ? 1 : Math.pow(2, -age / HALF_LIFE_NANOS);
    }
}
