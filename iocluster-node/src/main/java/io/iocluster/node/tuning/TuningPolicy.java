package io.iocluster.node.tuning;

import static io.iocluster.node.tuning.ReasonFormat.number;
import static io.iocluster.node.tuning.ReasonFormat.percent;
import static io.iocluster.node.tuning.ReasonFormat.seconds;

import io.iocluster.node.config.TuningSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Derives a verdict from the last observations. It also remembers whether more slots raised the throughput. If they did
 * not, the targets are saturated, and it advises no growth for a while
 * (docs/adr/0019-tuning-steps-are-measured-and-reverted.md). Reads no clock. Confined to the advisor's thread.
 */
final class TuningPolicy {

    /** Share of the observations that must have all slots taken. */
    private static final double FULL_MAJORITY = 0.7;

    /** Share of the held calls that must be for saturated destinations. */
    private static final double SATURATED_MAJORITY = 0.5;

    /**
     * Minimum throughput gain expected from doubling the slots if nothing else limits the node. Smaller growth needs
     * the same share of its growth.
     */
    private static final double MIN_GAIN = 0.2;

    private static final long KNEE_LIFETIME_NANOS = Duration.ofMinutes(5).toNanos();

    /** If calls take less than this share of their earlier time, more slots may help again. */
    private static final double FASTER_RATIO = 0.7;

    private final Deque<Observation> window = new ArrayDeque<>();
    private WindowStats lastFull;
    private WindowStats beforeGrowth;
    private boolean resized;
    private Knee knee;

    /** The number of slots beyond which more slots did not raise the throughput. */
    private record Knee(int slots, double slotSeconds, long nanos, String reason) {}

    /**
     * A verdict and the statistics that it is based on.
     *
     * @param isConclusive false until there are enough observations since the start or the last resize
     */
    record Evaluation(Advice advice, WindowStats stats, boolean isConclusive) {}

    /** Adds an observation, which must be later than all before, and returns the verdict. */
    Evaluation evaluate(Observation now, TuningSettings settings) {
        add(now, settings);
        WindowStats stats = WindowStats.of(List.copyOf(window));
        double windowSeconds = settings.window().toMillis() / 1e3;
        if (stats.seconds() < windowSeconds) {
            return new Evaluation(
                    Advice.hold("collecting data for " + seconds(windowSeconds) + (resized ? " after the resize" : "")
                            + "; " + seconds(stats.seconds()) + " elapsed"),
                    stats,
                    false);
        }
        Advice advice = evaluate(stats, now, settings);
        boolean isFull = stats.fullRatio() >= FULL_MAJORITY && stats.callRate() > 0;
        lastFull = isFull ? stats : null;
        beforeGrowth = null;
        resized = false;
        return new Evaluation(advice, stats, true);
    }

    /** Discards all observations and results. */
    void reset() {
        window.clear();
        lastFull = null;
        beforeGrowth = null;
        resized = false;
        knee = null;
    }

    private void add(Observation now, TuningSettings settings) {
        Observation last = window.peekLast();
        if (last != null
                && (last.slots() != now.slots() || last.threads() != now.threads() || last.nodes() != now.nodes())) {
            beforeGrowth = now.slots() > last.slots() ? lastFull : null;
            lastFull = null;
            resized = true;
            window.clear();
        }
        window.add(now);
        // Keeps one observation that is older than the span, so that the window covers all of it.
        long from = now.nanos() - settings.window().toNanos();
        while (window.size() > 2 && secondOf(window).nanos() <= from) {
            window.remove();
        }
    }

    private static Observation secondOf(Deque<Observation> window) {
        var each = window.iterator();
        each.next();
        return each.next();
    }

    private Advice evaluate(WindowStats stats, Observation now, TuningSettings settings) {
        if (now.stopReason() != null) {
            return Advice.hold(now.stopReason());
        }
        if (stats.lag() == null) {
            return Advice.hold("the lag was unknown or stale during the last " + seconds(stats.seconds())
                    + ": the broker did not report it");
        }
        if (stats.lag() == 0 && stats.callRate() == 0 && stats.inFlight() == 0) {
            return Advice.sourceEmpty("no message waits, and none arrived for " + seconds(stats.seconds()));
        }
        if (stats.backlog() == 0
                || stats.backlogSeconds() <= settings.toleratedLag().toMillis() / 1e3) {
            return Advice.hold("the node keeps up: " + number(stats.callRate()) + " messages/s, "
                    + (stats.backlog() == 0 ? "no message waits" : seconds(stats.backlogSeconds()) + " of work waits"));
        }
        double clearSeconds = stats.lagGrowth() < 0 ? stats.backlog() / -stats.lagGrowth() : Double.POSITIVE_INFINITY;
        if (clearSeconds <= settings.catchUp().toMillis() / 1e3) {
            return Advice.hold("the node catches up: " + number(stats.backlog()) + " messages wait, the lag falls by "
                    + number(-stats.lagGrowth()) + "/s, and the backlog is gone in about " + seconds(clearSeconds));
        }
        return backlogAdvice(stats, now, settings);
    }

    /** Returns the advice for a backlog that exceeds the tolerance and does not clear in time. */
    private Advice backlogAdvice(WindowStats stats, Observation now, TuningSettings settings) {
        CapacityPlan growth = new CapacityPlan(stats, settings);
        if (stats.cpu() >= settings.cpuCeilingRatio()) {
            return growth.addNodes();
        }
        if (stats.saturatedRatio() >= SATURATED_MAJORITY) {
            return Advice.targetSaturated(
                    null,
                    percent(stats.saturatedRatio()) + " of the calls are for saturated destinations: "
                            + stats.saturated().stream()
                                    .limit(3)
                                    .map(SaturatedDestination::toString)
                                    .collect(Collectors.joining("; ")));
        }
        if (stats.bottleneck() != null) {
            return Advice.hold(stats.bottleneck());
        }
        if (stats.workerCpu() >= settings.cpuCeilingRatio()) {
            return growth.addThreads();
        }
        if (stats.fullRatio() < FULL_MAJORITY) {
            return Advice.hold(number(stats.backlog()) + " messages wait, although only " + number(stats.inFlight())
                    + " of " + number(stats.slots()) + " slots are taken and the CPU is at "
                    + percent(stats.cpu()) + ": reading or publishing is slow; check the broker");
        }
        if (stats.callRate() == 0) {
            return Advice.targetSaturated(
                    null,
                    "all " + number(stats.slots()) + " slots are taken, and no call has ended for "
                            + seconds(stats.seconds()));
        }
        updateKnee(stats, now.nanos());
        if (knee == null) {
            return growth.growInFlight(Integer.MAX_VALUE);
        }
        return stats.slots() * CapacityPlan.MIN_STEP_FACTOR <= knee.slots()
                ? growth.growInFlight(knee.slots())
                : Advice.targetSaturated(stats.slots() > knee.slots() ? knee.slots() : null, knee.reason());
    }

    private void updateKnee(WindowStats stats, long nanos) {
        if (beforeGrowth != null) {
            double growth = (double) stats.slots() / beforeGrowth.slots() - 1;
            double gain = stats.callRate() / beforeGrowth.callRate() - 1;
            knee = gain < MIN_GAIN * Math.min(1, growth) ? kneeAt(beforeGrowth, stats, nanos) : null;
        } else if (knee != null
                && (nanos - knee.nanos() > KNEE_LIFETIME_NANOS
                        || stats.slotSeconds() < FASTER_RATIO * knee.slotSeconds())) {
            knee = null;
        }
    }

    private static Knee kneeAt(WindowStats before, WindowStats after, long nanos) {
        return new Knee(
                before.slots(),
                before.slotSeconds(),
                nanos,
                "growing from " + number(before.slots()) + " to " + number(after.slots())
                        + " slots changed the rate only from " + number(before.callRate()) + "/s to "
                        + number(after.callRate()) + "/s and the time per call from "
                        + seconds(before.slotSeconds()) + " to " + seconds(after.slotSeconds())
                        + ": the targets accept no more calls");
    }
}
