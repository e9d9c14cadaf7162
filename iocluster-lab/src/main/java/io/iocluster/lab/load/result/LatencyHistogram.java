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
 * A distribution of latencies in microseconds with three significant digits. In JSON it is its compressed HdrHistogram and, to
 * be readable, its figures in milliseconds. Immutable.
 */
public final class LatencyHistogram {

    /** The longest latency that is recorded exactly; a longer one is recorded as this. */
    public static final long MAX_MICROS = 3_600_000_000L;

    /** The significant decimal digits of a value. */
    public static final int DIGITS = 3;

    public static final LatencyHistogram EMPTY = new LatencyHistogram(new Histogram(DIGITS));

    /** A percentile is known if at least this many values are above it. */
    private static final int MIN_VALUES_ABOVE = 10;

    private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.9, 99.99};

    private final Histogram micros;

    private LatencyHistogram(Histogram micros) {
        this.micros = micros;
    }

    /** Returns a copy of a histogram of microseconds. */
    public static LatencyHistogram copyOf(AbstractHistogram micros) {
        Histogram copy = new Histogram(DIGITS);
        copy.setAutoResize(true);
        copy.add(micros);
        return new LatencyHistogram(copy);
    }

    /** Returns the values of all histograms. */
    public static LatencyHistogram sum(List<LatencyHistogram> parts) {
        Histogram sum = new Histogram(DIGITS);
        sum.setAutoResize(true);
        parts.forEach(part -> sum.add(part.micros));
        return new LatencyHistogram(sum);
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static LatencyHistogram parse(Encoded encoded) {
        try {
            byte[] bytes = Base64.getDecoder().decode(encoded.hdr());
            return copyOf(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0));
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
            percentileMillis(percentile).ifPresent(millis -> percentiles.put(name(percentile), millis));
        }
        return new Encoded(
                count(),
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

    public long count() {
        return micros.getTotalCount();
    }

    /** Returns the percentile in milliseconds; empty if there are fewer values than {@link #neededFor}. */
    public OptionalDouble percentileMillis(double percentile) {
        return count() < neededFor(percentile)
                ? OptionalDouble.empty()
                : OptionalDouble.of(micros.getValueAtPercentile(percentile) / 1e3);
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
        return other instanceof LatencyHistogram that && micros.equals(that.micros);
    }

    @Override
    public int hashCode() {
        return micros.hashCode();
    }

    @Override
    public String toString() {
        return "LatencyHistogram[" + count() + " values]";
    }

    /**
     * The JSON.
     *
     * @param percentiles those that the number of values supports, in milliseconds by name
     * @param hdr the compressed HdrHistogram of microseconds, in Base64
     */
    record Encoded(
            long count,
            double minMillis,
            double meanMillis,
            double maxMillis,
            Map<String, Double> percentiles,
            String hdr) {}
}
