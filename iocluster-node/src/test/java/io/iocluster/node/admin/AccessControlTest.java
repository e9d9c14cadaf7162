package io.iocluster.node.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import io.iocluster.node.admin.AdminRoute.Access;
import io.iocluster.node.config.ActionSettings;
import io.iocluster.node.config.AdminSettings;
import io.iocluster.node.config.AdminTlsSettings;
import io.iocluster.node.config.TapSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessControlTest {

    private final AdminApi api = new AdminApi(
            null,
            List.of(
                    AdminRoute.get("/api/failures", Access.READER, AccessControlTest::unused),
                    AdminRoute.get("/metrics", Access.OPEN, AccessControlTest::unused)),
            List.of(),
            false);
    private final AccessControl open = access("", "", true);
    private final AccessControl guarded = access("s3cr3t", "", true);
    private final AccessControl remote = access("s3cr3t", "", false);
    private final AccessControl twoTokens = access("s3cr3t", "r3ader", false);

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:8080", "localhost", "LOCALHOST:1", "[::1]:8080", "127.9.9.9"})
    void allowsMutatingRequestsToALoopbackHostWithoutAToken(String host) {
        assertThat(open.reject(post(Map.of("Host", host)))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", ""})
    void rejectsAReboundHostNameWithoutAToken(String host) {
        assertThat(open.reject(post(Map.of("Host", host))))
                .map(AdminResponse::status)
                .hasValue(403);
    }

    @Test
    void allowsAnyHostNameWithTheToken() {
        assertThat(guarded.reject(post(Map.of("Host", "node-1.internal:8080", "Authorization", "bearer s3cr3t"))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer s3cr3", "Bearer s3cr3tt", "Basic s3cr3t", "s3cr3t", "Bearer", "Bearer "})
    void rejectsEveryOtherAuthorization(String authorization) {
        assertThat(guarded.reject(post(Map.of("Host", "localhost", "Authorization", authorization))))
                .map(AdminResponse::status)
                .hasValue(401);
    }

    @ParameterizedTest
    @CsvSource({
        "Origin, http://evil.example",
        "Origin, null",
        "Origin, http://localhost:9999",
        "Sec-Fetch-Site, cross-site",
        "Sec-Fetch-Site, same-site"
    })
    void rejectsCrossOriginRequestsEvenWithTheToken(String header, String value) {
        Map<String, String> headers = Map.of("Host", "localhost:8080", "Authorization", "Bearer s3cr3t", header, value);

        assertThat(guarded.reject(post(headers))).map(AdminResponse::status).hasValue(403);
    }

    @Test
    void allowsRequestsOfTheConsole() {
        Map<String, String> headers =
                Map.of("Host", "localhost:8080", "Origin", "http://localhost:8080", "Sec-Fetch-Site", "same-origin");

        assertThat(open.reject(post(headers))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/metrics", "/api/status", "/api/destinations", "/console/console.js", "/no-such-path"})
    void rejectsReadsUnderAReboundHostNameOnLoopback(String path) {
        AdminRequest rebound = request("GET", path, Map.of("Host", "evil.example:8080"));

        assertThat(open.reject(rebound)).map(AdminResponse::status).hasValue(403);
        assertThat(guarded.reject(rebound)).map(AdminResponse::status).hasValue(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/livez", "/readyz"})
    void allowsProbesUnderAnyHost(String path) {
        assertThat(open.reject(request("GET", path, Map.of("Host", "evil.example"))))
                .isEmpty();
    }

    @Test
    void allowsReadsUnderALoopbackHost() {
        assertThat(open.reject(request("GET", "/metrics", Map.of("Host", "localhost:8080"))))
                .isEmpty();
    }

    @Test
    void allowsReadsWithoutTheTokenOnAnExternalAddress() {
        assertThat(remote.reject(request("GET", "/metrics", Map.of("Host", "node-1.internal:8080"))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/config", "/api/failures", "/api/threads"})
    void requiresTheTokenForReadsByOperators(String path) {
        AdminRequest request = request("GET", path, Map.of("Host", "evil.example"));

        assertThat(open.reject(request)).map(AdminResponse::status).hasValue(403);
        assertThat(guarded.reject(request)).map(AdminResponse::status).hasValue(401);
        assertThat(remote.reject(request)).map(AdminResponse::status).hasValue(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/config", "/api/failures", "/api/threads", "/api/status"})
    void theReadOnlyTokenReadsEverything(String path) {
        AdminRequest request =
                request("GET", path, Map.of("Host", "node-1.internal", "Authorization", "Bearer r3ader"));

        assertThat(twoTokens.reject(request)).isEmpty();
    }

    @Test
    void theReadOnlyTokenChangesNothing() {
        Map<String, String> headers = Map.of("Host", "node-1.internal", "Authorization", "Bearer r3ader");

        assertThat(twoTokens.reject(post(headers)))
                .hasValueSatisfying(refusal -> assertThat(refusal.status()).isEqualTo(403));
        assertThat(error(twoTokens, post(headers)))
                .isEqualTo("the token is admin.read-only-token, which cannot change the node; use admin.token");
    }

    @Test
    void namesTheTokensThatAPathAccepts() {
        AdminRequest read = request("GET", "/api/config", Map.of("Host", "n"));
        AdminRequest wrong = request("GET", "/api/config", Map.of("Host", "n", "Authorization", "Bearer no"));

        assertThat(error(twoTokens, read))
                .isEqualTo("this path needs the header Authorization: Bearer <admin.token or admin.read-only-token>");
        assertThat(error(twoTokens, wrong))
                .isEqualTo("the token in the header Authorization is not admin.token or admin.read-only-token");
        assertThat(error(twoTokens, post(Map.of("Host", "n"))))
                .isEqualTo("this path needs the header Authorization: Bearer <admin.token>");
        assertThat(error(remote, read)).isEqualTo("this path needs the header Authorization: Bearer <admin.token>");
    }

    @Test
    void anEmptyTokenIsNoToken() {
        AdminRequest empty = request("GET", "/api/config", Map.of("Host", "n", "Authorization", "Bearer "));

        assertThat(remote.role(empty)).isEqualTo(AccessControl.Role.ANONYMOUS);
    }

    private AccessControl access(String token, String readOnlyToken, boolean onLoopback) {
        ActionSettings actions = new ActionSettings(Duration.ofMinutes(15), Duration.ofDays(1));
        AdminTlsSettings plain = new AdminTlsSettings("", "", "");
        AdminSettings settings = new AdminSettings(
                "127.0.0.1", 0, token, readOnlyToken, 0, Duration.ZERO, 0, 1, "", actions, TapSettings.DEFAULTS, plain);
        return new AccessControl(settings, onLoopback, api::access);
    }

    private static String error(AccessControl access, AdminRequest request) {
        byte[] body = access.reject(request).orElseThrow().body();
        return AdminResponse.JSON.readTree(body).get("error").asString();
    }

    private static AdminResponse unused(AdminRequest request) {
        throw new AssertionError("not called");
    }

    private static AdminRequest post(Map<String, String> headers) {
        return request("POST", "/api/pause", headers);
    }

    private static AdminRequest request(String method, String path, Map<String, String> headers) {
        RequestHeadersBuilder all = RequestHeaders.builder(HttpMethod.valueOf(method), path);
        headers.forEach((name, value) -> {
            if (name.equals("Host")) {
                all.authority(value);
            } else {
                all.add(name, value);
            }
        });
        return new AdminRequest(method, path, all.build(), new byte[0]);
    }
}
