package io.iocluster.egress;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestRulesTest {

    private static final RequestRules RULES = new RequestRules(64, 8 * 1024);

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
    void allowsTheDocumentedMethods(String method) {
        assertThat(RULES.check(method, List.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONNECT", "TRACE", "get", "G T", "", "GET\r\nX: y", "PROPFIND"})
    void rejectsOtherMethods(String method) {
        assertThat(RULES.check(method, List.of())).map(Rejection::code).contains(ErrorCode.INVALID_METHOD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bad Name", "X:Y", ":method", ":authority", "X\r", "X\n", "X\0", "Ä", "X\u2028", "(x)"})
    void rejectsInvalidHeaderNames(String name) {
        assertThat(rejection(new Header(name, "v"))).isEqualTo(ErrorCode.INVALID_HEADER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\rb",
                "a\nb",
                "a\r\nX: y",
                "a\0b",
                "a\u007fb",
                "a\u0001",
                "\u20ac",
                "\u010d\u010a",
                " a",
                "\ta",
                "a ",
                "a\t",
                " "
            })
    void rejectsValuesThatCannotBeSent(String value) {
        assertThat(rejection(new Header("X-Tag", value))).isEqualTo(ErrorCode.INVALID_HEADER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\tb", "é", "\u00ff", "\u0080", "\u009f", "\u00e2\u0080\u0094"})
    void allowsLatin1(String value) {
        assertThat(rejection(new Header("X-Tag", value))).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "host",
                "Content-Length",
                "CONTENT-LENGTH",
                "Transfer-Encoding",
                "TE",
                "te",
                "Trailer",
                "Connection",
                "Keep-Alive",
                "Proxy-Authorization",
                "proxy-connection",
                "Proxy-Anything",
                "Upgrade",
                "Expect",
                "HTTP2-Settings"
            })
    void rejectsHeadersThatTheNodeSets(String name) {
        assertThat(rejection(new Header(name, "v"))).isEqualTo(ErrorCode.FORBIDDEN_HEADER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Hosts", "X-Host", "Accept", "Accept-Encoding", "Authorization", "Cookie", "Content-Type", "TEA"
            })
    void allowsOtherHeaders(String name) {
        assertThat(rejection(new Header(name, "v"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization",
                "Content-Location",
                "Content-Range",
                "Content-Type",
                "Cookie",
                "Date",
                "From",
                "Idempotency-Key",
                "If-Modified-Since",
                "If-Range",
                "If-Unmodified-Since",
                "Max-Forwards",
                "Origin",
                "Range",
                "Referer",
                "User-Agent"
            })
    void rejectsASecondValueOfAHeaderThatIsNoList(String name) {
        List<Header> twice =
                List.of(new Header(name, "a"), new Header("X", "y"), new Header(name.toLowerCase(Locale.ROOT), "b"));

        assertThat(RULES.check("GET", twice.subList(0, 2))).isEmpty();
        assertThat(RULES.check("GET", twice)).hasValueSatisfying(rejection -> {
            assertThat(rejection.code()).isEqualTo(ErrorCode.INVALID_HEADER);
            assertThat(rejection.message())
                    .contains(name.toLowerCase(Locale.ROOT))
                    .contains("several values");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"Accept", "Via", "If-None-Match", "Cache-Control", "Forwarded", "X-Tag"})
    void allowsSeveralValuesOfOtherHeaders(String name) {
        assertThat(RULES.check("GET", List.of(new Header(name, "a"), new Header(name, "b"))))
                .isEmpty();
    }

    @Test
    void limitsTheNumberOfHeaders() {
        assertThat(RULES.check("GET", Collections.nCopies(64, new Header("X", "y"))))
                .isEmpty();
        assertThat(RULES.check("GET", Collections.nCopies(65, new Header("X", "y"))))
                .map(Rejection::code)
                .contains(ErrorCode.TOO_MANY_HEADERS);
        assertThat(RULES.check("GET", Collections.nCopies(10_000, new Header("X", "y"))))
                .map(Rejection::code)
                .contains(ErrorCode.TOO_MANY_HEADERS);
    }

    @Test
    void limitsTheTotalSizeOfHeaders() {
        int maxLength = 8 * 1024 - "X".length() - ": \r\n".length();
        assertThat(rejection(new Header("X", "y".repeat(maxLength)))).isNull();
        assertThat(rejection(new Header("X", "y".repeat(maxLength + 1)))).isEqualTo(ErrorCode.TOO_MANY_HEADERS);
    }

    private static ErrorCode rejection(Header header) {
        return RULES.check("GET", List.of(header)).map(Rejection::code).orElse(null);
    }
}
