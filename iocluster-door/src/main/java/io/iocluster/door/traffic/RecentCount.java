package io.iocluster.door.traffic;

import java.time.Duration;
import java.util.Arrays;

/** Counts events of the last ten minutes, in steps of a minute. Not thread-safe: its owner holds a lock. */
final class RecentCount {

    static final Duration WINDOW = Duration.ofMinutes(10);

    private static final int STEPS = 10;
    private static final long STEP_NANOS = WINDOW.toNanos() / STEPS;

    private final int[] steps = new int[STEPS];
    private long step;

    RecentCount(long nowNanos) {
        step = Math.floorDiv(nowNanos, STEP_NANOS);
    }

    void add(long nowNanos) {
        advance(nowNanos);
        steps[index()]++;
    }

    /** Returns the number of events in the window, which the last minutes and the current one make up. */
    int sum(long nowNanos) {
        advance(nowNanos);
        int sum = 0;
        for (int each : steps) {
            sum += each;
        }
        return sum;
    }

    private void advance(long nowNanos) {
        long now = Math.floorDiv(nowNanos, STEP_NANOS);
        if (now - step >= STEPS) {
            Arrays.fill(steps, 0);
            step = now;
        }
        while (step < now) {
            step++;
            steps[index()] = 0;
        }
    }

    private int index() {
        return (int) Math.floorMod(step, (long) STEPS);
    }
}
