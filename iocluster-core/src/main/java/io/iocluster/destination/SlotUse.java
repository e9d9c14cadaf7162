package io.iocluster.destination;

import java.util.concurrent.TimeUnit;

/** How many slots a destination used of late, and how long its calls hold them. Confined to its destination's lock. */
final class SlotUse {

    /** What was used counts half after this time. */
    private static final double HALF_LIFE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** Room for calls that do not arrive evenly. */
    private static final double HEADROOM = 1.25;

    private int peak;
    private int ends;
    private double recentPeak;
    private double recentEnds;
    private double recentSlotNanos;

    /** A call begins, and now so many are under way. */
    void began(int inFlight) {
        peak = Math.max(peak, inFlight);
    }

    void ended() {
        ends++;
    }

    /**
     * Looks at the time since the last look.
     *
     * @param inFlight calls under way now
     */
    void look(int inFlight, long nanosSinceLast) {
        double kept = Math.pow(0.5, nanosSinceLast / HALF_LIFE_NANOS);
        recentPeak = Math.max(Math.max(peak, inFlight), recentPeak * kept);
        recentEnds = recentEnds * kept + ends;
        recentSlotNanos = recentSlotNanos * kept + (double) inFlight * nanosSinceLast;
        peak = inFlight;
        ends = 0;
    }

    /** Slots that it could use. */
    int wanted(int waiting) {
        return (int) Math.min(Integer.MAX_VALUE, Math.round(recentPeak * HEADROOM) + waiting);
    }

    double holdNanos() {
        return recentSlotNanos / Math.max(1, recentEnds);
    }
}
