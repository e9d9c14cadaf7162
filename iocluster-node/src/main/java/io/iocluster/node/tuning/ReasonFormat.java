package io.iocluster.node.tuning;

import java.util.Locale;

/** Formats the numbers in the reasons of the advisor's verdicts. */
final class ReasonFormat {

    private ReasonFormat() {}

    /** Returns the value without decimals if it is whole or at least 10, otherwise with one decimal. */
    static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 10 && value != Math.rint(value) ? "%.1f" : "%,.0f", value);
    }

    static String percent(double fraction) {
        return Math.round(fraction * 100) + "%";
    }

    static String seconds(double seconds) {
        return seconds < 1
                ? Math.max(1, Math.round(seconds * 1_000)) + " ms"
                : String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%,.0f s", seconds);
    }
}
