package io.iocluster.door.traffic;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.recent.RollingCount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counts the calls and problems of one app. Thread-safe, except {@link #sample}. */
public final class AppTraffic {

    /** Time constant of the moving average. */
    private static final double AVERAGED_NANOS = 10e9;

    private static final int RECENT_MINUTES = 10;

    private static final long IDLE_NANOS = Duration.ofMinutes(RECENT_MINUTES).toNanos();

    private final String name;
    private final LongSupplier clock;
    private final LongAdder calls = new LongAdder();
    private final LongAdder problems = new LongAdder();
    private final AtomicInteger inFlight = new AtomicInteger();

    @GuardedBy("this")
    private final Map<String, Problems> byCode = new TreeMap<>();

    private volatile long usedNanos;
    private volatile double callsPerSecond;
    /** What the last sample has seen. Confined to the thread that samples, like the next field. */
    private long sampledCalls;

    private long sampledNanos;

    private static final class Problems {
        private final RollingCount recent;
        private Instant last;

        Problems(long nowNanos) {
            recent = new RollingCount(RECENT_MINUTES, Duration.ofMinutes(1), nowNanos);
        }
    }

    AppTraffic(String name, LongSupplier clock) {
        this.name = name;
        this.clock = clock;
        this.usedNanos = clock.getAsLong();
        this.sampledNanos = usedNanos;
    }

    /** Returns the name; {@code other} or {@code unknown} for the apps that are not counted separately. */
    public String name() {
        return name;
    }

    /** Returns the number of calls that have started. */
    public long calls() {
        return calls.sum();
    }

    /** Returns the number of problems that the app got. */
    public long problems() {
        return problems.sum();
    }

    /** Returns the number of calls that are open. */
    public int inFlight() {
        return inFlight.get();
    }

    /** Returns the calls that start each second, a moving average of about ten seconds. */
    public double callsPerSecond() {
        return callsPerSecond;
    }

    void started(int count) {
        calls.add(count);
        inFlight.addAndGet(count);
    }

    /** Ends calls that {@link DoorTraffic#callStarted} has counted. */
    public void ended(int count) {
        inFlight.addAndGet(-count);
    }

    /** Records that the app is in use. */
    void use() {
        usedNanos = clock.getAsLong();
    }

    void problem(String code, Instant now) {
        long nowNanos = clock.getAsLong();
        problems.increment();
        synchronized (this) {
            Problems found = byCode.computeIfAbsent(code, each -> new Problems(nowNanos));
            found.recent.add(1, nowNanos);
            found.last = now;
        }
    }

    /** Returns the problems of the last ten minutes, by code. */
    public synchronized List<ProblemStatus> recentProblems() {
        long nowNanos = clock.getAsLong();
        List<ProblemStatus> recent = new ArrayList<>();
        byCode.forEach((code, found) -> {
            int count = Math.toIntExact(found.recent.sum(nowNanos));
            if (count > 0) {
                recent.add(new ProblemStatus(code, count, found.last));
            }
        });
        return recent;
    }

    /** Updates the moving average. */
    void sample() {
        long nowNanos = clock.getAsLong();
        long nanos = nowNanos - sampledNanos;
        if (nanos > 0) {
            long now = calls.sum();
            double weight = 1 - Math.exp(-nanos / AVERAGED_NANOS);
            callsPerSecond += weight * ((now - sampledCalls) * 1e9 / nanos - callsPerSecond);
            sampledCalls = now;
            sampledNanos = nowNanos;
        }
    }

    boolean isIdle() {
        return inFlight.get() == 0 && clock.getAsLong() - usedNanos > IDLE_NANOS;
    }
}
