package io.iocluster.egress;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.testkit.record.RecordCopy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what the policy allows. {@link UrlParserTest} tests which texts are URLs. */
class EgressPolicyTest {

    private static final List<String> FORBIDDEN =
            List.of("http://h.example/", "https://h.example:22/", "https://evil.example/", "https://127.0.0.1/");

    private final List<String> reported = new ArrayList<>();
    private final EgressPolicy policy = new EgressPolicy(EgressSettings.DEFAULTS);

    @ParameterizedTest
    @CsvSource({
        "https://h.example:22/, port 22 is not allowed; see egress.ports",
        "https://evil.example/, host evil.example is not allowed; see egress.deny-hosts",
        "https://other.test/, host other.test is not allowed; see egress.allow-hosts",
        "https://10.0.0.1/, address 10.0.0.1 is not allowed; see egress.allow-networks",
        "http://h.example:443/, scheme http is not allowed; see egress.schemes"
    })
    void namesTheKeyThatAllowsTheCall(String url, String message) {
        EgressPolicy strict = new EgressPolicy(RecordCopy.with(
                EgressSettings.DEFAULTS,
                "schemes",
                List.of("https"),
                "denyHosts",
                List.of("evil.example"),
                "allowHosts",
                List.of("h.example", "10.0.0.1")));

        assertThat(((Rejection) strict.checkUrl(url)).message()).isEqualTo(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://0.0.0.0/",
                "http://127.0.0.1/",
                "http://127.255.255.254./",
                "http://10.1.2.3/",
                "http://169.254.169.254/latest/meta-data",
                "http://100.64.0.1/",
                "http://100.100.100.200/",
                "http://172.31.255.255/",
                "http://192.168.0.1/",
                "http://192.0.0.192/",
                "http://192.0.2.1/",
                "http://192.88.99.1/",
                "http://198.19.255.255/",
                "http://198.51.100.1/",
                "http://203.0.113.1/",
                "http://224.0.0.1/",
                "http://240.0.0.1/",
                "http://255.255.255.255/",
                "http://[::1]/",
                "http://[::]/",
                "http://[::ffff:127.0.0.1]/",
                "http://[::FFFF:7f00:1]/",
                "http://[::127.0.0.1]/",
                "http://[0:0:0:0:0:0:7f00:1]/",
                "http://[64:ff9b::7f00:1]/",
                "http://[64:ff9b::a9fe:a9fe]/",
                "http://[64:ff9b:1::1]/",
                "http://[2002:7f00:1::]/",
                "http://[2001::1]/",
                "http://[2001:db8::1]/",
                "http://[3fff:fff::1]/",
                "http://[fe80::1]/",
                "http://[fc00::1]/",
                "http://[ff02::1]/",
                "http://[fd00:ec2::254]/"
            })
    void rejectsAddressesThatAreNotPublic(String url) {
        assertThat(rejection(url)).isEqualTo(ErrorCode.ADDRESS_NOT_ALLOWED);
    }

    @Test
    void rejectsOtherPorts() {
        assertThat(rejection("http://h.example:22/")).isEqualTo(ErrorCode.PORT_NOT_ALLOWED);
        assertThat(rejection("http://h.example:8080/")).isEqualTo(ErrorCode.PORT_NOT_ALLOWED);
        EgressPolicy anyPort = policy(List.of(), List.of(), List.of());
        assertThat(anyPort.checkUrl("http://h.example:22/")).isInstanceOf(TargetUrl.class);
    }

    @Test
    void rejectsHttpIfOnlyHttpsIsAllowed() {
        EgressPolicy https = policy(EgressMode.ENFORCE, List.of("https"), List.of(), List.of(), List.of());
        assertThat(rejection(https, "http://h.example/")).isEqualTo(ErrorCode.SCHEME_NOT_ALLOWED);
        assertThat(https.checkUrl("https://h.example/")).isInstanceOf(TargetUrl.class);
    }

    @Test
    void rejectsDeniedHostsInAnySpelling() {
        EgressPolicy denying =
                policy(List.of(), List.of("evil.example", "*.worse.example", "BÜCHER.example."), List.of());
        assertThat(rejection(denying, "http://EVIL.example./")).isEqualTo(ErrorCode.HOST_NOT_ALLOWED);
        assertThat(rejection(denying, "http://a.b.worse.example/")).isEqualTo(ErrorCode.HOST_NOT_ALLOWED);
        assertThat(rejection(denying, "http://xn--bcher-kva.example/")).isEqualTo(ErrorCode.HOST_NOT_ALLOWED);
        assertThat(denying.checkUrl("http://worse.example/")).isInstanceOf(TargetUrl.class);
        assertThat(denying.checkUrl("http://notworse.example/")).isInstanceOf(TargetUrl.class);
        assertThat(denying.checkUrl("http://not-evil.example/")).isInstanceOf(TargetUrl.class);
    }

    @Test
    void rejectsAllOtherHostsIfSomeAreAllowed() {
        EgressPolicy allowing = policy(List.of(), List.of("b.partner.example"), List.of("*.partner.example"));
        assertThat(allowing.checkUrl("http://a.partner.example/")).isInstanceOf(TargetUrl.class);
        assertThat(rejection(allowing, "http://b.partner.example/")).isEqualTo(ErrorCode.HOST_NOT_ALLOWED);
        assertThat(rejection(allowing, "http://partner.example/")).isEqualTo(ErrorCode.HOST_NOT_ALLOWED);
        assertThat(rejection(allowing, "http://partner.example.evil.example/")).isEqualTo(ErrorCode.HOST_NOT_ALLOWED);
    }

    @Test
    void omitsThePathInARejection() {
        Rejection rejection = (Rejection) policy.checkUrl("http://10.0.0.1/secret?token=secret");
        assertThat(rejection.message()).doesNotContain("secret");
    }

    @Test
    void rejectsForbiddenAddressesAfterTheCacheIsFull() {
        for (int i = 0; i < 5_000; i++) {
            assertThat(policy.checkUrl("http://h" + i + ".example/x")).isInstanceOf(TargetUrl.class);
        }
        assertThat(rejection("http://10.0.0.1/")).isEqualTo(ErrorCode.ADDRESS_NOT_ALLOWED);
    }

    @Test
    void allowsAndReportsForbiddenCallsInReportMode() {
        EgressPolicy reporting =
                policy(EgressMode.REPORT, List.of("https"), List.of(80, 443), List.of("evil.example"), List.of());
        for (String url : FORBIDDEN) {
            assertThat(reporting.checkUrl(url)).isInstanceOf(TargetUrl.class);
            assertThat(reporting.checkUrl(url)).isInstanceOf(TargetUrl.class);
        }
        assertThat(reporting.checkUrl("https://fine.example/")).isInstanceOf(TargetUrl.class);
        assertThat(reporting.check(new Origin("https", "evil.example", 443))).isEmpty();
        assertThat(reported)
                .containsExactly(
                        "SCHEME_NOT_ALLOWED h.example:80",
                        "SCHEME_NOT_ALLOWED h.example:80",
                        "PORT_NOT_ALLOWED h.example:22",
                        "PORT_NOT_ALLOWED h.example:22",
                        "HOST_NOT_ALLOWED evil.example:443",
                        "HOST_NOT_ALLOWED evil.example:443",
                        "ADDRESS_NOT_ALLOWED 127.0.0.1:443",
                        "ADDRESS_NOT_ALLOWED 127.0.0.1:443");
    }

    @Test
    void reportsEachReasonWhyACallIsForbidden() {
        EgressPolicy reporting =
                policy(EgressMode.REPORT, List.of("https"), List.of(443), List.of(), List.of("*.partner.example"));

        assertThat(reporting.checkUrl("http://10.0.0.1:8080/")).isInstanceOf(TargetUrl.class);

        assertThat(reported)
                .containsExactly(
                        "SCHEME_NOT_ALLOWED 10.0.0.1:8080",
                        "PORT_NOT_ALLOWED 10.0.0.1:8080",
                        "HOST_NOT_ALLOWED 10.0.0.1:8080",
                        "ADDRESS_NOT_ALLOWED 10.0.0.1:8080");
    }

    @Test
    void allowsForbiddenCallsWithoutAReportInOpenMode() {
        EgressPolicy open = policy(EgressMode.OPEN, List.of("https"), List.of(443), List.of("evil.example"), List.of());
        for (String url : FORBIDDEN) {
            assertThat(open.checkUrl(url)).isInstanceOf(TargetUrl.class);
        }
        assertThat(open.check(new Origin("https", "evil.example", 443))).isEmpty();
        assertThat(reported).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(EgressMode.class)
    void parsesStrictlyInEveryMode(EgressMode mode) {
        EgressPolicy any = policy(mode, List.of("http", "https"), List.of(), List.of(), List.of());
        for (String url : List.of("http://2130706433/", "http://a@b/", "http://h\r\n/", "http:h", "http://h/\0")) {
            assertThat(rejection(any, url)).isEqualTo(ErrorCode.INVALID_URL);
        }
        assertThat(rejection(any, "file:///etc/passwd")).isEqualTo(ErrorCode.SCHEME_NOT_ALLOWED);
        assertThat(any.check("CONNECT", List.of())).map(Rejection::code).contains(ErrorCode.INVALID_METHOD);
        assertThat(any.check("GET", List.of(new Header("Host", "h"))))
                .map(Rejection::code)
                .contains(ErrorCode.FORBIDDEN_HEADER);
        assertThat(reported).isEmpty();
    }

    private ErrorCode rejection(String url) {
        ErrorCode first = rejection(policy, url);
        assertThat(rejection(policy, url)).as("once more").isEqualTo(first);
        return first;
    }

    private static ErrorCode rejection(EgressPolicy policy, String url) {
        UrlCheckResult result = policy.checkUrl(url);
        assertThat(result).isInstanceOf(Rejection.class);
        return ((Rejection) result).code();
    }

    private EgressPolicy policy(List<Integer> ports, List<String> denyHosts, List<String> allowHosts) {
        return policy(EgressMode.ENFORCE, List.of("http", "https"), ports, denyHosts, allowHosts);
    }

    private EgressPolicy policy(
            EgressMode mode,
            List<String> schemes,
            List<Integer> ports,
            List<String> denyHosts,
            List<String> allowHosts) {
        return new EgressPolicy(
                RecordCopy.with(
                        EgressSettings.DEFAULTS,
                        "mode",
                        mode,
                        "schemes",
                        schemes,
                        "ports",
                        ports,
                        "denyHosts",
                        denyHosts,
                        "allowHosts",
                        allowHosts),
                (rejection, destination) -> reported.add(rejection.code() + " " + destination));
    }
}
