package io.iocluster.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Optional;

/**
 * Parses HTTP dates strictly (RFC 9110, section 5.6.7): {@code Sun, 06 Nov 1994 08:49:37 GMT} and the two obsolete
 * forms, {@code Sunday, 06-Nov-94 08:49:37 GMT} and {@code Sun Nov  6 08:49:37 1994}. Rejects dates that do not exist.
 */
public final class HttpDate {

    private static final DateTimeFormatter IMF_FIXDATE = strict(
            year(new DateTimeFormatterBuilder().appendPattern("EEE, dd MMM ")).appendPattern(" HH:mm:ss 'GMT'"));
    private static final DateTimeFormatter ASCTIME =
            strict(year(new DateTimeFormatterBuilder().appendPattern("EEE MMM ppd HH:mm:ss ")));

    private HttpDate() {}

    /**
     * Returns the date, or empty if the text is not a valid HTTP date. A two-digit year is the year nearest to now, at
     * most 50 years ahead.
     */
    public static Optional<Instant> parse(String text, Instant now) {
        DateTimeFormatter formatter =
                text.indexOf('-') >= 0 ? rfc850(now) : text.indexOf(',') >= 0 ? IMF_FIXDATE : ASCTIME;
        try {
            return Optional.of(formatter.parse(text, Instant::from));
        } catch (DateTimeException invalid) {
            return Optional.empty();
        }
    }

    /** Built on each call, because the century of a two-digit year depends on the current date. */
    private static DateTimeFormatter rfc850(Instant now) {
        LocalDate earliest = LocalDate.ofInstant(now, ZoneOffset.UTC).minusYears(49);
        return strict(new DateTimeFormatterBuilder()
                .appendPattern("EEEE, dd-MMM-")
                .appendValueReduced(ChronoField.YEAR, 2, 2, earliest)
                .appendPattern(" HH:mm:ss 'GMT'"));
    }

    /** Appends a year of exactly four digits. The pattern {@code uuuu} would also parse {@code +12026}. */
    private static DateTimeFormatterBuilder year(DateTimeFormatterBuilder format) {
        return format.appendValue(ChronoField.YEAR, 4);
    }

    private static DateTimeFormatter strict(DateTimeFormatterBuilder format) {
        return format.toFormatter(Locale.ENGLISH)
                .withResolverStyle(ResolverStyle.STRICT)
                .withZone(ZoneOffset.UTC);
    }
}
