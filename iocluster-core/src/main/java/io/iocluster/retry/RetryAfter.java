package io.iocluster.retry;

import io.iocluster.http.HttpDate;
import io.iocluster.message.Header;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Parses the {@code Retry-After} header: seconds or a date (RFC 9110, section 10.2.3). Immutable. */
final class RetryAfter {

    /** No call lasts longer than a day, so a longer delay has the same effect. */
    static final long MAX_DELAY_MILLIS = Duration.ofDays(1).toMillis();

    private static final long MAX_DELAY_SECONDS = MAX_DELAY_MILLIS / 1_000;

    private final NodeClock clock;

    RetryAfter(NodeClock clock) {
        this.clock = clock;
    }

    /**
     * Returns the delay that the target asks for, from 0 to {@link #MAX_DELAY_MILLIS}. Returns 0 if the header is
     * missing, is not valid or names a time in the past.
     */
    long delayMillis(List<Header> headers) {
        for (int i = 0; i < headers.size(); i++) {
            Header header = headers.get(i);
            if (header.name().equals("retry-after")) {
                return delayMillis(header.value());
            }
        }
        return 0;
    }

    long delayMillis(String value) {
        String text = trim(value);
        if (text.isEmpty()) {
            return 0;
        }
        if (isDigit(text.charAt(0))) {
            return seconds(text) * 1_000;
        }
        Instant now = Instant.ofEpochMilli(clock.wallMillis());
        Optional<Instant> date = HttpDate.parse(text, now);
        return date.isEmpty()
                ? 0
                : Math.min(MAX_DELAY_MILLIS, Math.max(0, date.get().toEpochMilli() - now.toEpochMilli()));
    }

    private static long seconds(String text) {
        long seconds = 0;
        for (int i = 0; i < text.length(); i++) {
            if (!isDigit(text.charAt(i))) {
                return 0;
            }
            seconds = Math.min(MAX_DELAY_SECONDS, seconds * 10 + (text.charAt(i) - '0'));
        }
        return seconds;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Removes spaces and tabs around a value (RFC 9110, section 5.5). */
    private static String trim(String value) {
        int from = 0;
        int to = value.length();
        while (from < to && isBlank(value.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(value.charAt(to - 1))) {
            to--;
        }
        return value.substring(from, to);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
