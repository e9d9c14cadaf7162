package io.iocluster.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {

    @Test
    void formatsAPartOfARate() {
        assertThat(Rate.parse("200/s").dividedBy(4)).isEqualTo("50/s");
        assertThat(Rate.parse("200/s").dividedBy(3)).isEqualTo("66.67/s");
        assertThat(Rate.parse("1/h").dividedBy(8)).isEqualTo("0.125/h");
        assertThat(Rate.parse("12345/s").dividedBy(1)).isEqualTo("12345/s");
        assertThat(Rate.parse("100001/s").dividedBy(2)).isEqualTo("50001/s");
        assertThat(Rate.UNLIMITED.dividedBy(3)).isEqualTo("unlimited");
    }

    @ParameterizedTest
    @CsvSource({"0,0", "17,17", "512B,512", "64KiB,65536", "1MiB,1048576", "2 GiB,2147483648"})
    void parsesSizes(String text, long bytes) {
        assertThat(DataSize.parse(text)).isEqualTo(new DataSize(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "1MB", "1.5MiB", "1 mib", "999999999999999GiB"})
    void refusesInvalidSizes(String text) {
        assertThatThrownBy(() -> DataSize.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0B", "1023B", "1KiB", "1025B", "256MiB", "3GiB"})
    void formatsSizesAsItParsesThem(String text) {
        assertThat(DataSize.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({"200/s,200,1000", "1 / m,1,60000", "999999999/h,999999999,3600000", "unlimited,0,1000"})
    void parsesRates(String text, int count, long millis) {
        assertThat(Rate.parse(text)).isEqualTo(new Rate(count, Duration.ofMillis(millis)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "200", "0/s", "-1/s", "1.5/s", "200/d", "s", "none"})
    void refusesInvalidRates(String text) {
        assertThatThrownBy(() -> Rate.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"200/s", "30/m", "1000/h", "unlimited"})
    void formatsRatesAsItParsesThem(String text) {
        assertThat(Rate.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({"250ms,250", "3s,3000", "5m,300000", "1h,3600000", "2d,172800000", "-1s,-1000"})
    void parsesDurations(String text, long millis) {
        assertThat(DurationText.parse(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "5 seconds", "1.5s", "PT5S"})
    void refusesInvalidDurations(String text) {
        assertThatThrownBy(() -> DurationText.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "250ms", "90s", "5m", "36h", "2d"})
    void formatsDurationsAsItParsesThem(String text) {
        assertThat(DurationText.format(DurationText.parse(text))).isEqualTo(text);
    }
}
