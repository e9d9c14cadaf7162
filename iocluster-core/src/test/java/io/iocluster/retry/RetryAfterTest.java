package io.iocluster.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Header;
import io.iocluster.testkit.time.FakeClock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

    private static final long DAY = 86_400_000;

    private final RetryAfter retryAfter = at("2026-01-05T10:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "7, 7000",
        "007, 7000",
        "' 7\t', 7000",
        "86400, 86400000",
        "'Mon, 05 Jan 2026 10:00:09 GMT', 9000",
        "'Monday, 05-Jan-26 10:00:09 GMT', 9000",
        "'Mon Jan  5 10:00:09 2026', 9000",
        "'Mon Jan 05 10:00:09 2026', 9000",
        "'Tue, 06 Jan 2026 09:59:59 GMT', 86399000"
    })
    void parsesSecondsAndEveryDateFormat(String value, long millis) {
        assertThat(retryAfter.delayMillis(value)).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "86401",
                "9999999999",
                "99999999999999999999999999999999999999",
                "Mon, 05 Jan 2099 10:00:09 GMT",
                "Fri, 31 Dec 9999 23:59:59 GMT",
                "Tuesday, 05-Jan-27 10:00:09 GMT",
                "Wed Jan  6 10:00:00 2027"
            })
    void limitsTheDelayToOneDay(String value) {
        assertThat(retryAfter.delayMillis(value)).isEqualTo(DAY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-1",
                "+1",
                "1.5",
                "1e3",
                "0x10",
                "7s",
                "7 7",
                "\u00a07",
                "\uff11",
                "soon",
                "Mon, 05 Jan 2026 09:59:59 GMT",
                "Mon, 05 Jan 1970 10:00:00 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994",
                "Thu, 01 Jan 0000 00:00:00 GMT",
                "Tue, 05 Jan 2026 10:00:09 GMT",
                "Mon, 5 Jan 2026 10:00:09 GMT",
                "mon, 05 jan 2026 10:00:09 gmt",
                "Mon, 05 Jan 2026 10:00:09 UTC",
                "Mon, 05 Jan 2026 10:00:09 +0000",
                "Mon, 05 Jan 2026 10:00:09",
                "Mon, 05 Jan 2026 24:00:00 GMT",
                "Mon, 30 Feb 2026 10:00:09 GMT",
                "Mon, 05 Jan +026 10:00:09 GMT",
                "Mon, 05 Jan +12026 10:00:09 GMT",
                "Mon Jan  5 10:00:09 +12026",
                "2026-01-05T10:00:09Z"
            })
    void returnsZeroForPastDatesAndInvalidValues(String value) {
        assertThat(retryAfter.delayMillis(value)).isZero();
    }

    @Test
    void interpretsATwoDigitYearAsTheNearestYear() {
        assertThat(at("2026-01-05T10:00:00Z").delayMillis("Sunday, 05-Jan-76 10:00:09 GMT"))
                .as("2076, 50 years ahead")
                .isEqualTo(DAY);
        assertThat(at("2026-01-05T10:00:00Z").delayMillis("Wednesday, 05-Jan-77 10:00:09 GMT"))
                .as("1977")
                .isZero();
        assertThat(at("2099-12-31T23:59:59Z").delayMillis("Friday, 01-Jan-00 00:00:09 GMT"))
                .as("2100")
                .isEqualTo(10_000);
    }

    @Test
    void usesTheFirstRetryAfterHeader() {
        assertThat(retryAfter.delayMillis(List.of(
                        new Header("date", "1"), new Header("retry-after", "2"), new Header("retry-after", "3"))))
                .isEqualTo(2_000);
        assertThat(retryAfter.delayMillis(List.of(new Header("date", "1")))).isZero();
    }

    private static RetryAfter at(String now) {
        return new RetryAfter(new FakeClock(() -> 0, Instant.parse(now)::toEpochMilli));
    }
}
