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
 * Reads dates as HTTP writes them, to the letter (RFC 9110, section 5.6.7): {@code Sun, 06 Nov 1994 08:49:37 GMT} and the two
 * forms that are obsolete, {@code Sunday, 06-Nov-94 08:49:37 GMT} and {@code Sun Nov  6 08:49:37 1994}. What is no such date,
 * or one that never was, is none.
 */
final class HttpDate {

    private static final int LENGTH = 29;
    private static final int ASCTIME_LENGTH = 24;
    /** From "Friday, …" to "Wednesday, …". */
    private static final int SHORTEST_RFC_850 = 30;

    private static final int LONGEST_RFC_850 = 33;

    private static final Map<Long, String> MONTHS =
            names("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
    private static final Map<Long, String> WEEKDAYS =
            names("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");
    private static final Map<Long, String> SHORT_WEEKDAYS = names("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");

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

    /** The moment that the text names; a year of two digits is the one nearest to now, at most 50 years ahead. */
    static Optional<Instant> parse(String text, Instant now) {
        DateTimeFormatter form = form(text, now);
        if (form == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(form.parse(text, Instant::from));
        } catch (DateTimeException noDate) {
            return Optional.empty();
        }
    }

    private static DateTimeFormatter form(String text, Instant now) {
        int length = text.length();
        if (length == LENGTH) {
            return IMF_FIXDATE;
        }
        if (length == ASCTIME_LENGTH) {
            return ASCTIME;
        }
        return length >= SHORTEST_RFC_850 && length <= LONGEST_RFC_850 ? rfc850(now) : null;
    }

    /** Which century a year of two digits means depends on when it is read, and the weekday on the century. */
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

    /** By number, from 1 on, as {@link ChronoField} counts months and days of the week; not by locale, whose names change. */
    private static Map<Long, String> names(String... inOrder) {
        Map<Long, String> names = new HashMap<>();
        for (String name : inOrder) {
            names.put(names.size() + 1L, name);
        }
        return names;
    }
}
