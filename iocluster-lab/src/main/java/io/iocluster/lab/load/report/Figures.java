package io.iocluster.lab.load.report;

import io.iocluster.lab.load.result.LatencyHistogram;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Formats figures for people. */
public final class Figures {

    /** Stands for a figure that is not known. */
    public static final String NONE = "–";

    /** Stands for the latency of a call without an answer. */
    private static final String UNANSWERED = "no answer";

    private static final double MILLIS_PER_SECOND = 1e3;

    private Figures() {}

    /** Returns a number of calls: {@code 1,234,567}. */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Returns a rate in calls per second. */
    public static String rate(double perSecond) {
        return perSecond >= 100
                ? String.format(Locale.ROOT, "%,.0f/s", perSecond)
                : String.format(Locale.ROOT, "%.1f/s", perSecond);
    }

    /** Returns a duration: {@code 0.42 ms}, {@code 21.3 ms}, {@code 312 ms}, {@code 4.20 s}; {@code no answer} if it is infinite. */
    public static String millis(double millis) {
        if (!Double.isFinite(millis)) {
            return millis == Double.POSITIVE_INFINITY ? UNANSWERED : NONE;
        }
        double size = Math.abs(millis);
        if (size >= 10 * MILLIS_PER_SECOND) {
            return String.format(Locale.ROOT, "%.1f s", millis / MILLIS_PER_SECOND);
        }
        if (size >= MILLIS_PER_SECOND) {
            return String.format(Locale.ROOT, "%.2f s", millis / MILLIS_PER_SECOND);
        }
        return String.format(Locale.ROOT, size >= 100 ? "%.0f ms" : size >= 10 ? "%.1f ms" : "%.2f ms", millis);
    }

    public static String millis(OptionalDouble millis) {
        return millis.isPresent() ? millis(millis.getAsDouble()) : NONE;
    }

    public static String millis(Double millis) {
        return millis == null ? NONE : millis(millis.doubleValue());
    }

    /** Returns a figure; NaN if it is not known. */
    public static double orNaN(Double value) {
        return value == null ? Double.NaN : value;
    }

    /** Returns a percentile; a dash if there are too few calls for it, "no answer" if its call has none. */
    public static String percentile(LatencyHistogram latency, double percentile) {
        return millis(latency.percentileMillis(percentile));
    }

    /** Returns the longest latency; a dash without calls, "no answer" if a call has none. */
    public static String max(LatencyHistogram latency) {
        if (latency.calls() == 0) {
            return NONE;
        }
        return latency.unanswered() > 0 ? UNANSWERED : millis(latency.maxMillis());
    }

    /** Returns the cells of a row: the first ones, the percentiles and the longest latency. */
    public static Object[] distribution(LatencyHistogram latency, double[] percentiles, String... first) {
        return Stream.of(
                        Arrays.stream(first),
                        Arrays.stream(percentiles).mapToObj(each -> percentile(latency, each)),
                        Stream.of(max(latency)))
                .flatMap(cells -> cells)
                .toArray();
    }

    /** Returns a share in percent with enough digits to tell it from 0. */
    public static String share(double share) {
        double percent = share * 100;
        if (percent == 0) {
            return "0 %";
        }
        return String.format(
                Locale.ROOT,
                Math.abs(percent) >= 10 ? "%.0f %%" : Math.abs(percent) >= 0.1 ? "%.2f %%" : "%.4f %%",
                percent);
    }

    /** Returns a time since the start of the run: {@code 1:05}, or {@code 2:01:05} after an hour. */
    public static String time(double seconds) {
        long whole = (long) Math.floor(seconds);
        return whole >= 3_600
                ? String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3_600, whole / 60 % 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
    }

    /** Returns any number with three significant digits, without an exponent. */
    public static String number(double value) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        return String.format(
                Locale.ROOT, size >= 100 || value == Math.rint(value) ? "%,.0f" : size >= 1 ? "%.2f" : "%.4f", value);
    }
}
