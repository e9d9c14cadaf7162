package io.iocluster.destination.share;

import java.util.concurrent.TimeUnit;

/**
 * Measures the slots that a destination used recently, and how long its calls hold them. Confined to its destination's
 * lock.
 */
public final class SlotUsage {

    /** Half-life of past usage. */
    private static final double HALF_LIFE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** Headroom for calls that do not arrive evenly. */
    private static final double HEADROOM = 1.25;

    private int peak;
    private int ends;
    private double recentPeak;
    private double recentEnds;
    private double recentSlotNanos;

    /** Records a call that starts, or that got no slot, with the number of calls in flight including it. */
    public void callStarted(int inFlight) {
        peak = Math.max(peak, inFlight);
    }

    /** Records a call that ended. */
    public void callEnded() {
        ends++;
    }

    /**
     * Adds the time since the last sample.
     *
     * @param inFlight calls in flight now
     */
    public void sample(int inFlight, long nanosSinceLast) {
        double kept = Math.pow(0.5, nanosSinceLast / HALF_LIFE_NANOS);
        recentPeak = Math.max(Math.max(peak, inFlight), recentPeak * kept);
        recentEnds = recentEnds * kept + ends;
        recentSlotNanos = recentSlotNanos * kept + (double) inFlight * nanosSinceLast;
        peak = inFlight;
        ends = 0;
    }

    /** Returns the number of slots that the destination could use. */
    public int wanted(int waiting) {
        return (int) Math.min(Integer.MAX_VALUE, Math.round(recentPeak * HEADROOM) + waiting);
    }

    /** Returns the mean time that a call holds a slot. */
    public double holdNanos() {
        return recentSlotNanos / Math.max(1, recentEnds);
    }
}
