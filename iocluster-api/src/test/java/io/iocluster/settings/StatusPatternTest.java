package io.iocluster.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusPatternTest {

    @ParameterizedTest
    @CsvSource({
        "404, 403, false",
        "404, 404, true",
        "404, 405, false",
        "4xx, 399, false",
        "4xx, 400, true",
        "4xx, 499, true",
        "4xx, 500, false",
        "5xx, 499, false",
        "5xx, 599, true",
        "5xx, 777, true"
    })
    void matchesAStatusOrAClass(String pattern, int status, boolean matches) {
        assertThat(StatusPattern.anyMatches(List.of(StatusPattern.parse(pattern)), status))
                .isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"404", "1xx", "5xx"})
    void isWrittenAsItIsRead(String text) {
        assertThat(StatusPattern.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "4x", "4XX", "600", "6xx", "99", "-404", "all"})
    void rejectsOtherTexts(String text) {
        assertThatThrownBy(() -> StatusPattern.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not an HTTP status such as 404, or a class such as 5xx: " + text);
    }
}
