package io.iocluster.settings;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of events per time unit, written as {@code 200/s}, {@code 30/m}, {@code 1000/h} or {@code unlimited}.
 *
 * @param count the number of events, 0 for unlimited
 * @param per a second, a minute or an hour
 */
public record Rate(int count, Duration per) {

    public static final Rate UNLIMITED = new Rate(0, Duration.ofSeconds(1));

    private static final int MIN_PART_DIGITS = 4;
    private static final String UNLIMITED_TEXT = "unlimited";
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\s*/\\s*([smh])");

    public Rate {
        if (count < 0 || unit(per) == 0) {
            throw new IllegalArgumentException(
                    "rate must be a count of 0 or more per 1s, 1m or 1h: " + count + " per " + per);
        }
    }

    /**
     * Parses a rate.
     *
     * @throws IllegalArgumentException if the text is not a rate; {@code 0/s} is not one, because it could be read as
     *     "none" or as "unlimited"
     */
    public static Rate parse(String text) {
        String trimmed = text.trim();
        if (trimmed.equals(UNLIMITED_TEXT)) {
            return UNLIMITED;
        }
        Matcher matcher = TEXT.matcher(trimmed);
        int count = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
        if (count == 0) {
            throw new IllegalArgumentException("not a rate such as 200/s, 30/m or unlimited: " + text);
        }
        return switch (matcher.group(2)) {
            case "s" -> new Rate(count, Duration.ofSeconds(1));
            case "m" -> new Rate(count, Duration.ofMinutes(1));
            default -> new Rate(count, Duration.ofHours(1));
        };
    }

    public boolean isUnlimited() {
        return count == 0;
    }

    /** Returns this rate divided by a positive number as text, such as {@code 66.67/s} for a third of {@code 200/s}. */
    public String dividedBy(int parts) {
        if (isUnlimited()) {
            return UNLIMITED_TEXT;
        }
        int digits = Math.max(MIN_PART_DIGITS, Integer.toString(count / parts).length());
        BigDecimal part = BigDecimal.valueOf(count).divide(BigDecimal.valueOf(parts), new MathContext(digits));
        return part.stripTrailingZeros().toPlainString() + "/" + unit(per);
    }

    private static char unit(Duration per) {
        return switch ((int) Math.min(per.toMillis(), 3_600_001)) {
            case 1_000 -> 's';
            case 60_000 -> 'm';
            case 3_600_000 -> 'h';
            default -> 0;
        };
    }

    @Override
    public String toString() {
        return isUnlimited() ? UNLIMITED_TEXT : count + "/" + unit(per);
    }
}
