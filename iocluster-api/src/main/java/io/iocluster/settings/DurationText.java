package io.iocluster.settings;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats durations of the configuration: {@code 250ms}, {@code 3s}, {@code 5m}, {@code 1h}, {@code 2d}. */
public final class DurationText {

    /** Its nanoseconds fit into a long. */
    private static final Duration MAX = Duration.ofDays(100_000);

    private static final Pattern TEXT = Pattern.compile("(-?\\d{1,12})\\s*(ms|s|m|h|d)");

    private DurationText() {}

    /**
     * Parses a duration.
     *
     * @throws IllegalArgumentException if the text is not a duration; a number without a unit is not one, and neither is one of centuries
     */
    public static Duration parse(String text) {
        Matcher matcher = TEXT.matcher(text.trim());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a duration such as 250ms, 3s or 5m: " + text);
        }
        Duration parsed = Duration.of(Long.parseLong(matcher.group(1)), unit(matcher.group(2)));
        if (parsed.abs().compareTo(MAX) > 0) {
            throw new IllegalArgumentException("not a duration of at most " + MAX.toDays() + "d: " + text);
        }
        return parsed;
    }

    private static ChronoUnit unit(String text) {
        return switch (text) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            case "h" -> ChronoUnit.HOURS;
            default -> ChronoUnit.DAYS;
        };
    }

    /** Formats a duration in the largest unit that divides it, truncated to milliseconds. */
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        if (millis == 0) {
            return "0s";
        }
        if (millis % 86_400_000 == 0) {
            return millis / 86_400_000 + "d";
        }
        if (millis % 3_600_000 == 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }
}
