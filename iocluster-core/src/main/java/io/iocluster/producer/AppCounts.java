package io.iocluster.producer;

import io.iocluster.message.Outcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts how the calls of one app ended. Thread-safe, except {@link #sample}. */
final class AppCounts {

    /** Time constant of the exponential moving averages. */
    private static final double AVERAGED_NANOS = 10e9;

    private final Map<Outcome, LongAdder> ended = new EnumMap<>(Outcome.class);
    private final LongAdder errors = new LongAdder();
    private final LongAdder overQuota = new LongAdder();

    /** What the last sample has seen. Confined to the thread that samples, like the next two fields. */
    private long sampledEnded;

    private long sampledOverQuota;
    private long sampledNanos;
    private volatile double callsPerSecond;
    private volatile double overQuotaPerSecond;

    AppCounts(long nowNanos) {
        sampledNanos = nowNanos;
        for (Outcome outcome : Outcome.values()) {
            ended.put(outcome, new LongAdder());
        }
    }

    void ended(Outcome outcome, boolean error) {
        ended.get(outcome).increment();
        if (error) {
            errors.increment();
        }
    }

    void overQuota() {
        overQuota.increment();
    }

    /** Updates the moving averages. */
    void sample(long nowNanos) {
        long nanos = nowNanos - sampledNanos;
        if (nanos <= 0) {
            return;
        }
        long endedNow = ended.values().stream().mapToLong(LongAdder::sum).sum();
        long overQuotaNow = overQuota.sum();
        double weight = 1 - Math.exp(-nanos / AVERAGED_NANOS);
        callsPerSecond = average(callsPerSecond, (endedNow - sampledEnded) * 1e9 / nanos, weight);
        overQuotaPerSecond = average(overQuotaPerSecond, (overQuotaNow - sampledOverQuota) * 1e9 / nanos, weight);
        sampledEnded = endedNow;
        sampledOverQuota = overQuotaNow;
        sampledNanos = nowNanos;
    }

    private static double average(double before, double current, double weight) {
        return before + weight * (current - before);
    }

    AppStatus status(String name, boolean configured, int inFlight, int waiting, AppQuota quota) {
        return new AppStatus(
                name,
                configured,
                inFlight,
                waiting,
                ended.get(Outcome.ANSWERED).sum(),
                ended.get(Outcome.FAILED).sum(),
                ended.get(Outcome.REJECTED).sum(),
                ended.get(Outcome.EXPIRED).sum(),
                errors.sum(),
                overQuota.sum(),
                callsPerSecond,
                overQuotaPerSecond,
                quota);
    }
}
