package io.iocluster.retry;

import io.iocluster.message.Header;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Reads the header of that name, in seconds or as a date (RFC 9110, section 10.2.3). Immutable. */
final class RetryAfter {

    private static final int LONGEST_NUMBER = 18;

    private final Clock clock;

    RetryAfter(Clock clock) {
        this.clock = clock;
    }

    /** How long the target asks to wait; 0 if it does not say, names the past, or says what means nothing. */
    long millis(List<Header> headers) {
        for (int i = 0; i < headers.size(); i++) {
            Header header = headers.get(i);
            if (header.name().equals("retry-after")) {
                return parse(header.value().strip());
            }
        }
        return 0;
    }

    private long parse(String value) {
        if (value.isEmpty()) {
            return 0;
        }
        if (value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            long seconds = value.length() > LONGEST_NUMBER ? Long.MAX_VALUE : Long.parseLong(value);
            return seconds > Long.MAX_VALUE / 4_000 ? Long.MAX_VALUE / 4 : seconds * 1_000;
        }
        try {
            Instant date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from);
            return Math.max(0, date.toEpochMilli() - clock.millis());
        } catch (DateTimeException | ArithmeticException noDate) {
            return 0;
        }
    }
}
