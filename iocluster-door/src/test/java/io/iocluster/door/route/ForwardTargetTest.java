package io.iocluster.door.route;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardTargetTest {

    private final ForwardTarget target = ForwardTarget.parse("https://partner.example/a/b");

    /** Clients that follow WHATWG, and those of Python, resolve these references in other ways than RFC 3986. {@code ^} is a backslash. */
    @ParameterizedTest
    @CsvSource({
        "/%2e%2e/%2E./.%2e/livez, https://partner.example/livez",
        "/..^..^..^..^livez, https://partner.example/livez",
        "..^?c=^..^, https://partner.example/?c=^..^",
        "/%2f/%2e, https://partner.example/%2f/",
        "http:/v1/calls/a, without-credentials/http://v1/calls/a",
        "HTTPS:other.example/c, without-credentials/https://other.example/c",
        "https:^^other.example^c, without-credentials/https://other.example/c",
        "^^other.example^c, without-credentials/https://other.example/c"
    })
    void aRedirectDoesNotLeaveTheRouteWithCredentials(String location, String expected) {
        assertThat(target.rewrite("location", location.replace('^', '\\'), true, false))
                .isEqualTo("/v1/forward/" + expected.replace('^', '\\'));
    }

    @Test
    void aRedirectDoesNotLeaveTheRouteWithTabs() {
        assertThat(target.rewrite("location", "/.\t./.\t./\t../livez", true, false))
                .isEqualTo("/v1/forward/https://partner.example/livez");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1; Path =/; Domain =example", "a=1;PATH\t= / ; domain", "a=1; path; Secure "})
    void aCookieKeepsNoOtherPathOrDomain(String cookie) {
        assertThat(target.rewrite("set-cookie", cookie, false, false))
                .startsWith("a=1; Path=/v1/forward/https://partner.example/")
                .doesNotContainIgnoringCase("domain")
                .doesNotContainIgnoringCase("secure");
    }
}
