package io.iocluster.retry;

import static java.time.temporal.ChronoField.DAY_OF_MONTH;
import static java.time.temporal.ChronoField.DAY_OF_WEEK;
import static java.time.temporal.ChronoField.HOUR_OF_DAY;
import static java.time.temporal.ChronoField.MINUTE_OF_HOUR;
import static java.time.temporal.ChronoField.MONTH_OF_YEAR;
import static java.time.temporal.ChronoField.SECOND_OF_MINUTE;
import static java.time.temporal.ChronoField.YEAR;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Parses HTTP dates strictly (RFC 9110, section 5.6.7): {@code Sun, 06 Nov 1994 08:49:37 GMT} and the two obsolete
 * forms, {@code Sunday, 06-Nov-94 08:49:37 GMT} and {@code Sun Nov  6 08:49:37 1994}. Rejects dates that do not exist.
 */
final class HttpDate {

    private static final int LENGTH = 29;
    private static final int ASCTIME_LENGTH = 24;
    /** From "Friday, …" to "Wednesday, …". */
    private static final int MIN_RFC_850_LENGTH = 30;

    private static final int MAX_RFC_850_LENGTH = 33;

    private static final Map<Long, String> MONTHS =
            namesByNumber("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
    private static final Map<Long, String> WEEKDAYS =
            namesByNumber("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");
    private static final Map<Long, String> SHORT_WEEKDAYS =
            namesByNumber("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");

    private static final DateTimeFormatter IMF_FIXDATE = time(date(SHORT_WEEKDAYS, ", ")
                    .appendValue(DAY_OF_MONTH, 2)
                    .appendLiteral(' ')
                    .appendText(MONTH_OF_YEAR, MONTHS)
                    .appendLiteral(' ')
                    .appendValue(YEAR, 4)
                    .appendLiteral(' '))
            .appendLiteral(" GMT")
            .toFormatter()
            .withResolverStyle(ResolverStyle.STRICT)
            .withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter ASCTIME = time(date(SHORT_WEEKDAYS, " ")
                    .appendText(MONTH_OF_YEAR, MONTHS)
                    .appendLiteral(' ')
                    .padNext(2)
                    .appendValue(DAY_OF_MONTH)
                    .appendLiteral(' '))
            .appendLiteral(' ')
            .appendValue(YEAR, 4)
            .toFormatter()
            .withResolverStyle(ResolverStyle.STRICT)
            .withZone(ZoneOffset.UTC);

    private HttpDate() {}

    /**
     * Returns the date, or empty if the text is not a valid HTTP date. A two-digit year is the year nearest to now, at
     * most 50 years ahead.
     */
    static Optional<Instant> parse(String text, Instant now) {
        DateTimeFormatter formatter = formatter(text, now);
        if (formatter == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(formatter.parse(text, Instant::from));
        } catch (DateTimeException invalid) {
            return Optional.empty();
        }
    }

    private static DateTimeFormatter formatter(String text, Instant now) {
        int length = text.length();
        if (length == LENGTH) {
            return IMF_FIXDATE;
        }
        if (length == ASCTIME_LENGTH) {
            return ASCTIME;
        }
        return length >= MIN_RFC_850_LENGTH && length <= MAX_RFC_850_LENGTH ? rfc850(now) : null;
    }

    /** Built on each call, because the century of a two-digit year depends on the current date. */
    private static DateTimeFormatter rfc850(Instant now) {
        LocalDate earliest = LocalDate.ofInstant(now, ZoneOffset.UTC).minusYears(49);
        return time(date(WEEKDAYS, ", ")
                        .appendValue(DAY_OF_MONTH, 2)
                        .appendLiteral('-')
                        .appendText(MONTH_OF_YEAR, MONTHS)
                        .appendLiteral('-')
                        .appendValueReduced(YEAR, 2, 2, earliest)
                        .appendLiteral(' '))
                .appendLiteral(" GMT")
                .toFormatter()
                .withResolverStyle(ResolverStyle.STRICT)
                .withZone(ZoneOffset.UTC);
    }

    private static DateTimeFormatterBuilder date(Map<Long, String> weekdays, String separator) {
        return new DateTimeFormatterBuilder()
                .parseCaseSensitive()
                .appendText(DAY_OF_WEEK, weekdays)
                .appendLiteral(separator);
    }

    private static DateTimeFormatterBuilder time(DateTimeFormatterBuilder date) {
        return date.appendValue(HOUR_OF_DAY, 2)
                .appendLiteral(':')
                .appendValue(MINUTE_OF_HOUR, 2)
                .appendLiteral(':')
                .appendValue(SECOND_OF_MINUTE, 2);
    }

    /**
     * Maps numbers from 1, as {@link ChronoField} counts them, to names. The names of a locale would vary between JDKs.
     */
    private static Map<Long, String> namesByNumber(String... namesInOrder) {
        Map<Long, String> namesByNumber = new HashMap<>();
        for (String name : namesInOrder) {
            namesByNumber.put(namesByNumber.size() + 1L, name);
        }
        return namesByNumber;
    }
}
