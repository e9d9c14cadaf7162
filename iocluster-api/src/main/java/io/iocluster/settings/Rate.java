package io.iocluster.settings;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * So many in so long, written as {@code 200/s}, {@code 30/m} or {@code 1000/h}; {@code unlimited} for no bound.
 *
 * @param count how many, 0 for any number
 * @param per a second, a minute or an hour
 */
public record Rate(int count, Duration per) {

    public static final Rate UNLIMITED = new Rate(0, Duration.ofSeconds(1));

    private static final String NO_BOUND = "unlimited";
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\s*/\\s*([smh])");

    public Rate {
        if (count < 0 || unit(per) == 0) {
            throw new IllegalArgumentException("a rate is a count in a second, a minute or an hour");
        }
    }

    /**
     * Reads a rate.
     *
     * @throws IllegalArgumentException if the text is none; 0 is none, for it would mean both nothing and everything
     */
    public static Rate parse(String text) {
        String trimmed = text.trim();
        if (trimmed.equals(NO_BOUND)) {
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
        return isUnlimited() ? NO_BOUND : count + "/" + unit(per);
    }
}
