package io.iocluster.hedge;

import io.iocluster.settings.DurationText;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long the first attempt of a call runs before a second one starts, written as {@code off}, as a percentile such as {@code p95}, or
 * as a duration.
 *
 * @param percentile from 50 to 99; 0 for a fixed delay and for {@code off}
 * @param fixed zero for a percentile and for {@code off}
 */
public record HedgeDelay(int percentile, Duration fixed) {

    /** No call gets a second attempt. */
    public static final HedgeDelay OFF = new HedgeDelay(0, Duration.ZERO);

    private static final String OFF_TEXT = "off";
    private static final Pattern PERCENTILE = Pattern.compile("p([5-9]\\d)");

    public HedgeDelay {
        boolean isPercentile = percentile >= 50 && percentile <= 99 && fixed.isZero();
        if (!isPercentile && (percentile != 0 || fixed.isNegative())) {
            throw new IllegalArgumentException(
                    "delay must be a percentile from 50 to 99 or a duration: " + percentile + ", " + fixed);
        }
    }

    /**
     * Parses a delay.
     *
     * @throws IllegalArgumentException if the text is not a delay; {@code 0s} is not one, because it could be read as "at once" or as "off"
     */
    public static HedgeDelay parse(String text) {
        String trimmed = text.trim();
        // YAML 1.1 reads the word off as false, for example in a tool that writes the file.
        if (trimmed.equals(OFF_TEXT) || trimmed.equals("false")) {
            return OFF;
        }
        Matcher matcher = PERCENTILE.matcher(trimmed);
        if (matcher.matches()) {
            return new HedgeDelay(Integer.parseInt(matcher.group(1)), Duration.ZERO);
        }
        Duration fixed = parseDuration(trimmed);
        if (fixed.isZero() || fixed.isNegative()) {
            throw notADelay(text, null);
        }
        return new HedgeDelay(0, fixed);
    }

    private static Duration parseDuration(String text) {
        try {
            return DurationText.parse(text);
        } catch (IllegalArgumentException notADuration) {
            throw notADelay(text, notADuration);
        }
    }

    private static IllegalArgumentException notADelay(String text, IllegalArgumentException cause) {
        return new IllegalArgumentException(
                "not a delay such as off, 200ms, or a percentile from p50 to p99: " + text, cause);
    }

    /** Returns whether no call gets a second attempt. */
    public boolean isOff() {
        return percentile == 0 && fixed.isZero();
    }

    /** Returns whether the delay follows the latency of the destination. */
    public boolean isPercentile() {
        return percentile > 0;
    }

    @Override
    public String toString() {
        if (isPercentile()) {
            return "p" + percentile;
        }
        return isOff() ? OFF_TEXT : DurationText.format(fixed);
    }
}
