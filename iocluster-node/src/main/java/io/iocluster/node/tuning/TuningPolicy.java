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
 * Derives one verdict from the last observations. It remembers them, and whether calls went faster after places were added:
 * where they did not, those who are called are saturated, and for a while no more is advised
 * (docs/adr/0019-tuning-steps-are-measured-and-reverted.md). Reads no clock; used by one thread.
 */
final class TuningPolicy {

    /** So many of the observations have to say the same. */
    private static final double MOSTLY = 0.7;

    /** So much of what the node holds is for destinations that take no more. */
    private static final double STRAINED = 0.5;

    /** By so much at least the rate grows where the places double and nothing else is in the way, or by this part of their growth. */
    private static final double LEAST_GAIN = 0.2;

    private static final long FORGET_NANOS = Duration.ofMinutes(5).toNanos();

    /** Calls that take less than this part of the time that they took then may gain by more places again. */
    private static final double FASTER = 0.7;

    private final Deque<Observation> window = new ArrayDeque<>();
    private WindowStats lastFull;
    private WindowStats beforeGrowth;
    private boolean resized;
    private Knee knee;

    /** So many places were as good as more of them. */
    private record Knee(int places, double placeSeconds, long nanos, String reason) {}

    /**
     * A verdict, and what it came from.
     *
     * @param isSettled false while there are too few observations since the start or since the last change of the size
     */
    record Evaluation(Advice advice, WindowStats stats, boolean isConclusive) {}

    /** Takes one more observation, later than all before, and judges. */
    Evaluation evaluate(Observation now, TuningSettings settings) {
        takeUp(now, settings);
        WindowStats figures = WindowStats.of(List.copyOf(window));
        double watched = settings.window().toMillis() / 1e3;
        if (figures.seconds() < watched) {
            String of = seconds(watched);
            return new Evaluation(
                    Advice.hold("the figures are watched for " + of + (resized ? ", anew after a change" : "")
                            + " before anything is said; " + seconds(figures.seconds()) + " are over"),
                    figures,
                    false);
        }
        Advice advice = evaluate(figures, now, settings);
        boolean isFull = figures.fullRatio() >= MOSTLY && figures.callRate() > 0;
        lastFull = isFull ? figures : null;
        beforeGrowth = null;
        resized = false;
        return new Evaluation(advice, figures, true);
    }

    /** Forgets what it saw. */
    void reset() {
        window.clear();
        lastFull = null;
        beforeGrowth = null;
        resized = false;
        knee = null;
    }

    private void takeUp(Observation now, TuningSettings settings) {
        Observation last = window.peekLast();
        if (last != null && (last.slots() != now.slots() || last.threads() != now.threads())) {
            beforeGrowth = now.slots() > last.slots() ? lastFull : null;
            lastFull = null;
            resized = true;
            window.clear();
        }
        window.add(now);
        // One older than the span, so that the rest of them fill it.
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

    private Advice evaluate(WindowStats figures, Observation now, TuningSettings settings) {
        if (now.stopReason() != null) {
            return Advice.hold(now.stopReason());
        }
        if (figures.lag() == null) {
            return Advice.hold("the lag is not known, or was not a moment ago: the broker could not be asked");
        }
        if (figures.lag() == 0 && figures.callRate() == 0 && figures.inFlight() == 0) {
            return Advice.sourceEmpty("no message waits, and none came for " + seconds(figures.seconds()));
        }
        if (figures.backlog() == 0
                || figures.backlogSeconds() <= settings.toleratedLag().toMillis() / 1e3) {
            return Advice.hold("it keeps up: " + number(figures.callRate()) + " messages/s, "
                    + (figures.backlog() == 0
                            ? "none of which waits"
                            : seconds(figures.backlogSeconds()) + " of work wait"));
        }
        double goneIn = figures.lagGrowth() < 0 ? figures.backlog() / -figures.lagGrowth() : Double.POSITIVE_INFINITY;
        if (goneIn <= settings.catchUp().toMillis() / 1e3) {
            return Advice.hold("it catches up: " + number(figures.backlog()) + " messages wait, fewer by "
                    + number(-figures.lagGrowth()) + "/s, and are gone in about " + seconds(goneIn));
        }
        return behind(figures, now, settings);
    }

    /** More waits than is tolerated, and it does not go away. */
    private Advice behind(WindowStats figures, Observation now, TuningSettings settings) {
        CapacityPlan growth = new CapacityPlan(figures, settings);
        if (figures.cpu() >= settings.cpuCeilingRatio()) {
            return growth.addNodes();
        }
        if (figures.saturatedRatio() >= STRAINED) {
            return Advice.targetSaturated(
                    null,
                    percent(figures.saturatedRatio()) + " of the calls are for destinations that take no more: "
                            + figures.saturated().stream()
                                    .limit(3)
                                    .map(SaturatedDestination::toString)
                                    .collect(Collectors.joining("; ")));
        }
        if (figures.bottleneck() != null) {
            return Advice.hold(figures.bottleneck());
        }
        if (figures.workerCpu() >= settings.cpuCeilingRatio()) {
            return growth.addThreads();
        }
        if (figures.fullRatio() < MOSTLY) {
            return Advice.hold(number(figures.backlog()) + " messages wait though only " + number(figures.inFlight())
                    + " of " + number(figures.slots()) + " places are taken and the CPU is at "
                    + percent(figures.cpu()) + ": reading or publishing is slow; look at the broker");
        }
        if (figures.callRate() == 0) {
            return Advice.targetSaturated(
                    null,
                    "all " + number(figures.slots()) + " places are taken, and no call has ended for "
                            + seconds(figures.seconds()));
        }
        learn(figures, now.nanos());
        if (knee == null) {
            return growth.growInFlight(Integer.MAX_VALUE);
        }
        return figures.slots() * CapacityPlan.MIN_STEP_FACTOR <= knee.places()
                ? growth.growInFlight(knee.places())
                : Advice.targetSaturated(figures.slots() > knee.places() ? knee.places() : null, knee.reason());
    }

    private void learn(WindowStats figures, long nanos) {
        if (beforeGrowth != null) {
            double growth = (double) figures.slots() / beforeGrowth.slots() - 1;
            double gain = figures.callRate() / beforeGrowth.callRate() - 1;
            knee = gain < LEAST_GAIN * Math.min(1, growth) ? kneeAt(beforeGrowth, figures, nanos) : null;
        } else if (knee != null
                && (nanos - knee.nanos() > FORGET_NANOS || figures.slotSeconds() < FASTER * knee.placeSeconds())) {
            knee = null;
        }
    }

    private static Knee kneeAt(WindowStats before, WindowStats after, long nanos) {
        return new Knee(
                before.slots(),
                before.slotSeconds(),
                nanos,
                "from " + number(before.slots()) + " to " + number(after.slots())
                        + " places the calls went from " + number(before.callRate()) + "/s to "
                        + number(after.callRate())
                        + "/s only, and took " + seconds(after.slotSeconds()) + " in place of "
                        + seconds(before.slotSeconds()) + " each: those who are called take no more");
    }
}
