package io.iocluster.pipeline.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that headers get the form that means the same in HTTP/1.1 and HTTP/2. */
class RequestHeadersTest {

    private static final EgressPolicy RULES = new EgressPolicy(EgressSettings.DEFAULTS);

    @ParameterizedTest
    @ValueSource(strings = {"a", " a", "a ", "\ta", "a\t", "  \t a \t "})
    void removesBlanksAroundAValue(String value) {
        List<Header> normalised = RequestHeaders.normalise(List.of(new Header("X-Tag", value)));

        assertThat(normalised).containsExactly(new Header("X-Tag", "a"));
        assertThat(RULES.check("GET", normalised)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t \t"})
    void makesAValueOfBlanksEmpty(String value) {
        assertThat(RequestHeaders.normalise(List.of(new Header("X-Tag", value))))
                .containsExactly(new Header("X-Tag", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a \t b", "\u00a0a\u00a0", "\u0085a", "é"})
    void keepsEverythingElse(String value) {
        List<Header> headers = List.of(new Header("X-Tag", value));

        assertThat(RequestHeaders.normalise(headers)).isSameAs(headers);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\n", "\na", "a\r\n b", "\u000ba", "a\u000c", "a\0", "\u007fa"})
    void removesNoControlCharacter(String value) {
        List<Header> normalised = RequestHeaders.normalise(List.of(new Header("X-Tag", value)));

        assertThat(RULES.check("GET", normalised))
                .hasValueSatisfying(rejection -> assertThat(rejection.code()).isEqualTo(ErrorCode.INVALID_HEADER));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a=1|b=2|a=1; b=2",
                "a=1; b=2|c=3|a=1; b=2; c=3",
                "\" a=1 \"|\"b=2 \"|a=1; b=2",
                "a=1|\" \"|a=1",
                "\"\"|b=2|b=2",
                "\"\"|\" \"|\"\""
            })
    void joinsCookies(String first, String second, String joined) {
        List<Header> headers = List.of(
                new Header("X", "1"), new Header("Cookie", first), new Header("X", "2"), new Header("cookie", second));
        List<Header> normalised = RequestHeaders.normalise(headers);

        assertThat(normalised)
                .containsExactly(new Header("X", "1"), new Header("Cookie", joined), new Header("X", "2"));
        assertThat(RULES.check("GET", normalised)).isEmpty();
    }

    @Test
    void keepsASingleCookie() {
        List<Header> headers = List.of(new Header("cookie", "a=1; b=2"));

        assertThat(RequestHeaders.normalise(headers)).isSameAs(headers);
    }

    @Test
    void keepsRepeatedHeadersApart() {
        List<Header> headers = List.of(new Header("X-Tag", "a "), new Header("X-Tag", " b"), new Header("x-tag", ""));

        assertThat(RequestHeaders.normalise(headers))
                .containsExactly(new Header("X-Tag", "a"), new Header("X-Tag", "b"), new Header("x-tag", ""));
    }

    @Test
    void joinsMoreCookiesThanACallMayHave() {
        List<Header> headers = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            headers.add(new Header("Cookie", "a" + i));
        }

        assertThat(RULES.check("GET", RequestHeaders.normalise(headers)))
                .hasValueSatisfying(rejection -> assertThat(rejection.code()).isEqualTo(ErrorCode.TOO_MANY_HEADERS));
    }
}
