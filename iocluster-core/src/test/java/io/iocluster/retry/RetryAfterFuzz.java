package io.iocluster.retry;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.iocluster.http.HttpDate;
import io.iocluster.testkit.time.FakeClock;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzzes {@code Retry-After}: every value means a delay of at most one day, and a date is parsed strictly. */
class RetryAfterFuzz {

    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
    private static final DateTimeFormatter FIXDATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH);
    private static final DateTimeFormatter RFC_850 =
            DateTimeFormatter.ofPattern("EEEE, dd-MMM-uu HH:mm:ss 'GMT'", Locale.ENGLISH);

    private final RetryAfter retryAfter = new RetryAfter(new FakeClock(() -> 0, NOW::toEpochMilli));

    static Stream<byte[]> seeds() {
        return Stream.of(
                        "7",
                        "9999999999",
                        "-1",
                        " 86400\t",
                        "Mon, 05 Jan 2026 10:00:09 GMT",
                        "Monday, 05-Jan-26 10:00:09 GMT",
                        "Wednesday, 05-Jan-77 10:00:09 GMT",
                        "Mon Jan  5 10:00:09 2026",
                        "Sun Nov 06 08:49:37 1994",
                        "Thu, 29 Feb 2024 23:59:59 GMT")
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @MethodSource("seeds")
    @DictionaryEntries({" GMT", "Mon, ", "Sunday, ", " Feb ", "-Dec-", "2024", "29", "24:00:00", "23:59:60"})
    @FuzzTest(maxDuration = "2s")
    void returnsADelayOfAtMostOneDay(byte[] bytes) {
        String value = new String(bytes, StandardCharsets.ISO_8859_1);
        long millis = retryAfter.delayMillis(value);
        check(millis >= 0 && millis <= RetryAfter.MAX_DELAY_MILLIS, value, millis);
        Optional<Instant> date = HttpDate.parse(value, NOW);
        date.ifPresent(parsed -> {
            check(isFormattedAs(parsed.atZone(ZoneOffset.UTC), value), value, parsed);
            long remaining = parsed.toEpochMilli() - NOW.toEpochMilli();
            check(millis == Math.min(RetryAfter.MAX_DELAY_MILLIS, Math.max(0, remaining)), value, millis);
        });
    }

    private static boolean isFormattedAs(ZonedDateTime date, String value) {
        if (value.contains("-")) {
            return RFC_850.format(date).equals(value) && Math.abs(date.getYear() - 2026) <= 50;
        }
        String fixdate = FIXDATE.format(date);
        return fixdate.equals(value) || hasSameWords(fixdate, value);
    }

    /** The format of C's asctime has the same words in another order, and may have a space in place of a zero. */
    private static boolean hasSameWords(String fixdate, String value) {
        String[] word = fixdate.split("[, ]+", -1);
        String day = word[1].startsWith("0") ? "[0 ]" + word[1].charAt(1) : word[1];
        return value.matches(word[0] + " " + word[2] + " " + day + " " + word[4] + " " + word[3]);
    }

    private static void check(boolean holds, String value, Object result) {
        if (!holds) {
            throw new AssertionError("'" + value + "' was parsed as " + result);
        }
    }
}
