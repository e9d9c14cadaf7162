package io.iocluster.node.tuning;

import static io.iocluster.node.tuning.Wording.number;
import static io.iocluster.node.tuning.Wording.percent;
import static io.iocluster.node.tuning.Wording.seconds;

import io.iocluster.node.config.TuningSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Derives one verdict from the last observations. It remembers them, and whether calls went faster after places were added:
 * where they did not, those who are called are saturated, and for a while no more is advised
 * (docs/adr/0019-a-step-is-measured-and-taken-back.md). Reads no clock; used by one thread.
 */
final class Judge {

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
    private Figures lastFull;
    private Figures beforeGrowth;
    private boolean resized;
    private Knee knee;

    /** So many places were as good as more of them. */
    private record Knee(int places, double placeSeconds, long nanos, String reason) {}

    /**
     * A verdict, and what it came from.
     *
     * @param isSettled false while there are too few observations since the start or since the last change of the size
     */
    record Judgement(Advice advice, Figures figures, boolean isSettled) {}

    /** Takes one more observation, later than all before, and judges. */
    Judgement judge(Observation now, TuningSettings settings) {
        takeUp(now, settings);
        Figures figures = Figures.of(List.copyOf(window));
        double watched = settings.window().toMillis() / 1e3;
        if (figures.seconds() < watched) {
            String of = seconds(watched);
            return new Judgement(
                    Advice.hold("the figures are watched for " + of + (resized ? ", anew after a change" : "")
                            + " before anything is said; " + seconds(figures.seconds()) + " are over"),
                    figures,
                    false);
        }
        Advice advice = judge(figures, now, settings);
        boolean isFull = figures.fullPart() >= MOSTLY && figures.rate() > 0;
        lastFull = isFull ? figures : null;
        beforeGrowth = null;
        resized = false;
        return new Judgement(advice, figures, true);
    }

    /** Forgets what it saw. */
    void forget() {
        window.clear();
        lastFull = null;
        beforeGrowth = null;
        resized = false;
        knee = null;
    }

    private void takeUp(Observation now, TuningSettings settings) {
        Observation last = window.peekLast();
        if (last != null && (last.places() != now.places() || last.threads() != now.threads())) {
            beforeGrowth = now.places() > last.places() ? lastFull : null;
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

    private Advice judge(Figures figures, Observation now, TuningSettings settings) {
        if (now.halted() != null) {
            return Advice.hold(now.halted());
        }
        if (figures.lag() == null) {
            return Advice.hold("the lag is not known, or was not a moment ago: the broker could not be asked");
        }
        if (figures.lag() == 0 && figures.rate() == 0 && figures.calls() == 0) {
            return Advice.sourceEmpty("no message waits, and none came for " + seconds(figures.seconds()));
        }
        if (figures.backlog() == 0
                || figures.workSeconds() <= settings.toleratedLag().toMillis() / 1e3) {
            return Advice.hold("it keeps up: " + number(figures.rate()) + " messages/s, "
                    + (figures.backlog() == 0
                            ? "none of which waits"
                            : seconds(figures.workSeconds()) + " of work wait"));
        }
        double goneIn = figures.trend() < 0 ? figures.backlog() / -figures.trend() : Double.POSITIVE_INFINITY;
        if (goneIn <= settings.catchUp().toMillis() / 1e3) {
            return Advice.hold("it catches up: " + number(figures.backlog()) + " messages wait, fewer by "
                    + number(-figures.trend()) + "/s, and are gone in about " + seconds(goneIn));
        }
        return behind(figures, now, settings);
    }

    /** More waits than is tolerated, and it does not go away. */
    private Advice behind(Figures figures, Observation now, TuningSettings settings) {
        Growth growth = new Growth(figures, settings);
        if (figures.cpu() >= settings.cpuCeilingPart()) {
            return growth.nodes();
        }
        if (figures.strainedPart() >= STRAINED) {
            return Advice.targetSaturated(
                    null,
                    percent(figures.strainedPart()) + " of the calls are for destinations that take no more: "
                            + figures.strained().stream()
                                    .limit(3)
                                    .map(Strain::toString)
                                    .collect(Collectors.joining("; ")));
        }
        if (figures.bound() != null) {
            return Advice.hold(figures.bound());
        }
        if (figures.workerCpu() >= settings.cpuCeilingPart()) {
            return growth.threads();
        }
        if (figures.fullPart() < MOSTLY) {
            return Advice.hold(number(figures.backlog()) + " messages wait though only " + number(figures.calls())
                    + " of " + number(figures.places()) + " places are taken and the CPU is at "
                    + percent(figures.cpu()) + ": reading or publishing is slow; look at the broker");
        }
        if (figures.rate() == 0) {
            return Advice.targetSaturated(
                    null,
                    "all " + number(figures.places()) + " places are taken, and no call has ended for "
                            + seconds(figures.seconds()));
        }
        learn(figures, now.nanos());
        if (knee == null) {
            return growth.places(Integer.MAX_VALUE);
        }
        return figures.places() * Growth.LEAST_STEP <= knee.places()
                ? growth.places(knee.places())
                : Advice.targetSaturated(figures.places() > knee.places() ? knee.places() : null, knee.reason());
    }

    private void learn(Figures figures, long nanos) {
        if (beforeGrowth != null) {
            double growth = (double) figures.places() / beforeGrowth.places() - 1;
            double gain = figures.rate() / beforeGrowth.rate() - 1;
            knee = gain < LEAST_GAIN * Math.min(1, growth) ? kneeAt(beforeGrowth, figures, nanos) : null;
        } else if (knee != null
                && (nanos - knee.nanos() > FORGET_NANOS || figures.placeSeconds() < FASTER * knee.placeSeconds())) {
            knee = null;
        }
    }

    private static Knee kneeAt(Figures before, Figures after, long nanos) {
        return new Knee(
                before.places(),
                before.placeSeconds(),
                nanos,
                "from " + number(before.places()) + " to " + number(after.places())
                        + " places the calls went from " + number(before.rate()) + "/s to " + number(after.rate())
                        + "/s only, and took " + seconds(after.placeSeconds()) + " in place of "
                        + seconds(before.placeSeconds()) + " each: those who are called take no more");
    }
}
