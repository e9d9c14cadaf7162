package io.iocluster.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.StatusPattern;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CacheSettingsTest {

    static Stream<Arguments> invalid() {
        return Stream.of(
                Arguments.of("ttl", Duration.ofDays(8), "ttl must be at most 7d: 8d"),
                Arguments.of("ttl", Duration.ofSeconds(-1), "ttl must not be negative: -1s"),
                Arguments.of("negativeTtl", Duration.ofDays(8), "negative-ttl must be at most 7d: 8d"),
                Arguments.of(
                        "staleIfError",
                        Duration.ofSeconds(1),
                        "stale-if-error needs a ttl, because nothing is stored without one"),
                Arguments.of("refreshAhead", Duration.ofSeconds(1), "refresh-ahead must be below ttl: 1s"),
                Arguments.of("maxBytes", new DataSize(1), "max-bytes must be from 64KiB to 1024GiB: 1B"),
                Arguments.of("methods", List.of(), "methods must name at least one method"),
                Arguments.of(
                        "methods",
                        List.of("GET", "PUT"),
                        "methods[1] must be GET, HEAD, OPTIONS or POST, because other methods change the target: PUT"),
                Arguments.of(
                        "statuses",
                        List.of(StatusPattern.parse("206")),
                        "statuses[0] must be a final status other than 206 and 304: 206"),
                Arguments.of(
                        "statuses",
                        List.of(StatusPattern.parse("2xx"), StatusPattern.parse("1xx")),
                        "statuses[1] must be a final status other than 206 and 304: 1xx"));
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void refusesWhatCannotWork(String component, Object value, String message) {
        assertThatThrownBy(() -> RecordCopy.with(CacheSettings.DEFAULTS, component, value))
                .hasStackTraceContaining(message);
    }

    @Test
    void refusesNamesThatCannotBePartOfAKey() {
        assertThatThrownBy(() -> new CacheKeySettings(List.of("*", "id"), List.of("a b")))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("query must have no other name beside *: [*, id]")
                .hasMessageContaining("headers[0] must be the name of a header: a b");
    }

    @Test
    void aPartialResponseIsNeverStoredEvenIfItsClassIs() {
        CacheSettings all = RecordCopy.with(
                CacheSettings.DEFAULTS, "ttl", Duration.ofHours(1), "statuses", List.of(StatusPattern.parse("2xx")));

        assertThat(all.ttlOf(206)).isZero();
        assertThat(all.ttlOf(299)).isEqualTo(Duration.ofHours(1));
    }
}
