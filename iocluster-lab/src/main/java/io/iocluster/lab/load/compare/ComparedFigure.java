package io.iocluster.lab.load.compare;

import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * One figure of two runs.
 *
 * @param a the value of the first run; NaN if it is unknown, infinite if it is that of a call without an answer
 * @param b the same of the second run
 * @param noise the difference must be larger than this to count; NaN if it is unknown
 */
record ComparedFigure(
        String phase, String name, DoubleFunction<String> format, double a, double b, double noise, Better better) {

    /** A smaller difference counts as noise. */
    private static final double SMALLEST_SHARE = 0.01;

    /** Which direction is an improvement. */
    enum Better {
        LOWER,
        HIGHER
    }

    /** What the difference means. */
    enum Verdict {
        SAME("within noise"),
        IMPROVED("better"),
        WORSE("worse"),
        UNKNOWN("unknown");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    double difference() {
        return b - a;
    }

    Verdict verdict() {
        double difference = difference();
        if (Double.isInfinite(difference)) {
            return difference > 0 ? Verdict.WORSE : Verdict.IMPROVED;
        }
        if (!Double.isFinite(difference) || !Double.isFinite(noise)) {
            return Verdict.UNKNOWN;
        }
        if (Math.abs(difference) <= noise || Math.abs(difference) <= SMALLEST_SHARE * Math.abs(a)) {
            return Verdict.SAME;
        }
        return difference < 0 == (better == Better.LOWER) ? Verdict.IMPROVED : Verdict.WORSE;
    }

    String textOfA() {
        return text(a);
    }

    String textOfB() {
        return text(b);
    }

    private String text(double value) {
        return Double.isNaN(value) ? "–" : format.apply(value);
    }

    /** Returns the difference with its sign, and in percent of the first run. */
    String textOfDifference() {
        double difference = difference();
        if (!Double.isFinite(difference)) {
            return "–";
        }
        String percent = a == 0 ? "" : String.format(Locale.ROOT, " (%+.1f %%)", 100 * difference / a);
        return (difference < 0 ? "−" : "+") + format.apply(Math.abs(difference)) + percent;
    }

    String textOfNoise() {
        return Double.isFinite(noise) ? "± " + format.apply(noise) : "–";
    }
}
