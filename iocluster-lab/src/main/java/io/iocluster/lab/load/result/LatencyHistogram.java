package io.iocluster.lab.load.result;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.zip.DataFormatException;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;

/**
 * A distribution of latencies in microseconds with three significant digits. Calls without an answer have no latency, but count as
 * slower than all others, so that they cannot improve a percentile. In JSON it is its compressed HdrHistogram and, to be readable,
 * its figures in milliseconds. Immutable.
 */
public final class LatencyHistogram {

    /** The longest latency that is recorded exactly; a longer one is recorded as this. */
    public static final long MAX_MICROS = 3_600_000_000L;

    /** The significant decimal digits of a value. */
    public static final int DIGITS = 3;

    public static final LatencyHistogram EMPTY = new LatencyHistogram(new Histogram(DIGITS), 0);

    /** A percentile is known if at least this many values are above it. */
    private static final int MIN_VALUES_ABOVE = 10;

    private static final double ROUNDING = 1e-9;

    private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.9, 99.99};

    private final Histogram micros;
    private final long unanswered;

    private LatencyHistogram(Histogram micros, long unanswered) {
        this.micros = micros;
        this.unanswered = unanswered;
    }

    /** Returns a copy of a histogram of microseconds. */
    public static LatencyHistogram copyOf(AbstractHistogram micros) {
        Histogram copy = new Histogram(DIGITS);
        copy.setAutoResize(true);
        copy.add(micros);
        return new LatencyHistogram(copy, 0);
    }

    /** Returns the same values and this number of calls without an answer. */
    public LatencyHistogram withUnanswered(long calls) {
        return new LatencyHistogram(micros, calls);
    }

    /** Returns the values of all histograms. */
    public static LatencyHistogram sum(List<LatencyHistogram> parts) {
        Histogram sum = new Histogram(DIGITS);
        sum.setAutoResize(true);
        parts.forEach(part -> sum.add(part.micros));
        return new LatencyHistogram(
                sum, parts.stream().mapToLong(part -> part.unanswered).sum());
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static LatencyHistogram parse(Encoded encoded) {
        try {
            byte[] bytes = Base64.getDecoder().decode(encoded.hdr());
            return copyOf(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0))
                    .withUnanswered(encoded.unanswered() == null ? 0 : Math.max(0, encoded.unanswered()));
        } catch (DataFormatException | RuntimeException damaged) {
            throw new IllegalArgumentException("damaged histogram: " + damaged.getMessage(), damaged);
        }
    }

    @JsonValue
    Encoded encode() {
        ByteBuffer buffer = ByteBuffer.allocate(micros.getNeededByteBufferCapacity());
        int length = micros.encodeIntoCompressedByteBuffer(buffer);
        byte[] bytes = new byte[length];
        buffer.flip().get(bytes);
        Map<String, Double> percentiles = new LinkedHashMap<>();
        for (double percentile : PERCENTILES) {
            percentileMillis(percentile).stream()
                    .filter(Double::isFinite)
                    .forEach(millis -> percentiles.put(name(percentile), millis));
        }
        return new Encoded(
                count(),
                unanswered,
                minMillis(),
                meanMillis(),
                maxMillis(),
                percentiles,
                Base64.getEncoder().encodeToString(bytes));
    }

    /** Returns the name of a percentile: {@code p99.9}. */
    public static String name(double percentile) {
        return "p"
                + (percentile == Math.rint(percentile)
                        ? Long.toString((long) percentile)
                        : Double.toString(percentile));
    }

    /** Returns the number of values that a percentile needs: at least ten must be above it. */
    public static long neededFor(double percentile) {
        return (long) Math.ceil(MIN_VALUES_ABOVE * 100 / (100 - percentile) - 1e-6);
    }

    /** Returns the number of values. */
    public long count() {
        return micros.getTotalCount();
    }

    /** Returns the number of calls that have no value, because they had no answer. */
    public long unanswered() {
        return unanswered;
    }

    /** Returns the number of values and of calls without an answer. */
    public long calls() {
        return count() + unanswered;
    }

    /**
     * Returns the percentile in milliseconds; empty if there are fewer calls than {@link #neededFor}, infinite if it is that of a
     * call without an answer.
     */
    public OptionalDouble percentileMillis(double percentile) {
        if (calls() < neededFor(percentile)) {
            return OptionalDouble.empty();
        }
        double ofValues = ofValues(percentile);
        return OptionalDouble.of(
                ofValues > 100 + ROUNDING
                        ? Double.POSITIVE_INFINITY
                        : micros.getValueAtPercentile(Math.min(100, ofValues)) / 1e3);
    }

    /** Returns the percentile of the values in milliseconds, however few they are; 0 if there are none. */
    public double millisAt(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1e3;
    }

    /** Returns the percentile of the values alone that has the same rank as this one of all calls; above 100 if there is none. */
    public double ofValues(double percentile) {
        return unanswered == 0 ? percentile : percentile * calls() / Math.max(1, count());
    }

    /** Returns the smallest value in milliseconds; 0 if there are no values. */
    public double minMillis() {
        return count() == 0 ? 0 : micros.getMinValue() / 1e3;
    }

    /** Returns the mean in milliseconds; 0 if there are no values. */
    public double meanMillis() {
        return count() == 0 ? 0 : micros.getMean() / 1e3;
    }

    /** Returns the largest value in milliseconds; 0 if there are no values. */
    public double maxMillis() {
        return micros.getMaxValue() / 1e3;
    }

    /** Returns a copy of the values in microseconds, for example for a curve of all percentiles. */
    public Histogram toHistogram() {
        return micros.copy();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LatencyHistogram that && micros.equals(that.micros) && unanswered == that.unanswered;
    }

    @Override
    public int hashCode() {
        return 31 * micros.hashCode() + Long.hashCode(unanswered);
    }

    @Override
    public String toString() {
        return "LatencyHistogram[" + count() + " values, " + unanswered + " unanswered]";
    }

    /**
     * The JSON.
     *
     * @param count number of values
     * @param unanswered number of calls without a value, which count as slower than all others; null in an older result
     * @param percentiles those that the number of calls supports and that are not of a call without an answer, in milliseconds by
     *     name
     * @param hdr the compressed HdrHistogram of microseconds, in Base64
     */
    record Encoded(
            long count,
            Long unanswered,
            double minMillis,
            double meanMillis,
            double maxMillis,
            Map<String, Double> percentiles,
            String hdr) {}
}
