package io.iocluster.lab.load.schedule;

/** A schedule whose rate is a sine wave that starts at its lowest rate. Immutable. */
final class SineSchedule implements Schedule {

    /** Enough halvings for a resolution of less than a nanosecond. */
    private static final int HALVINGS = 60;

    private final double mean;
    private final double amplitude;
    private final double angularRate;
    private final long durationNanos;
    private final long calls;

    SineSchedule(double from, double to, double periodSeconds, long durationNanos) {
        this.mean = (from + to) / 2;
        this.amplitude = (to - from) / 2;
        this.angularRate = 2 * Math.PI / periodSeconds;
        this.durationNanos = durationNanos;
        this.calls = (long) Math.ceil(expectedCalls(durationNanos) - 1e-6);
    }

    @Override
    public long calls() {
        return calls;
    }

    @Override
    public double expectedCalls(long offsetNanos) {
        return expected(Math.max(0, Math.min(offsetNanos, durationNanos)) / 1e9);
    }

    private double expected(double seconds) {
        return mean * seconds - amplitude / angularRate * Math.sin(angularRate * seconds);
    }

    @Override
    public long dueNanos(long call) {
        double swing = Math.abs(amplitude) / angularRate;
        double low = Math.max(0, (call - swing) / mean);
        double high = (call + swing) / mean;
        for (int i = 0; i < HALVINGS && high - low > 1e-10; i++) {
            double middle = (low + high) / 2;
            if (expected(middle) < call) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return Math.round(high * 1e9);
    }

    @Override
    public long durationNanos() {
        return durationNanos;
    }
}
