package io.iocluster.settings;

import java.util.List;
import java.util.regex.Pattern;

/**
 * HTTP statuses, written as one status, such as {@code 404}, or as a class, such as {@code 5xx}. The class {@code 5xx}
 * includes the statuses above 599, which no standard defines.
 *
 * @param first the lowest status
 * @param last the highest status
 */
public record StatusPattern(int first, int last) {

    private static final Pattern CLASS = Pattern.compile("[1-5]xx");
    private static final Pattern STATUS = Pattern.compile("[1-5]\\d\\d");
    private static final int HIGHEST = 999;

    /**
     * Parses a pattern.
     *
     * @throws IllegalArgumentException if the text is neither a status nor a class
     */
    public static StatusPattern parse(String text) {
        String trimmed = text.trim();
        if (STATUS.matcher(trimmed).matches()) {
            int status = Integer.parseInt(trimmed);
            return new StatusPattern(status, status);
        }
        if (!CLASS.matcher(trimmed).matches()) {
            throw new IllegalArgumentException("not an HTTP status such as 404, or a class such as 5xx: " + text);
        }
        int first = (trimmed.charAt(0) - '0') * 100;
        return new StatusPattern(first, first == 500 ? HIGHEST : first + 99);
    }

    /** Returns whether one of the patterns has this status. Allocates nothing. */
    public static boolean anyMatches(List<StatusPattern> patterns, int status) {
        for (int i = 0; i < patterns.size(); i++) {
            StatusPattern pattern = patterns.get(i);
            if (status >= pattern.first && status <= pattern.last) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return first == last ? Integer.toString(first) : first / 100 + "xx";
    }
}
