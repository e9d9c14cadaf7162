package io.iocluster.node.door;

import static io.iocluster.node.door.DoorFixture.code;
import static io.iocluster.node.door.DoorFixture.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Ordinary requests through {@code /v1/forward/}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoorForwardTest {

    private DoorFixture door;

    @BeforeAll
    void start() {
        door = new DoorFixture("", "http: {max-response-body: 4KiB}\n");
    }

    @AfterAll
    void stop() {
        door.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
    void everyMethodReachesTheTarget(String method) {
        HttpResponse<String> response = door.forward(method, "/echo", "text", "X-Mine", "1");

        assertThat(response.statusCode()).isEqualTo(200);
        JsonNode echo = json(response);
        assertThat(echo.path("method").asString("")).isEqualTo(method);
        assertThat(echo.path("path").asString("")).isEqualTo("/echo");
        assertThat(response.body()).containsIgnoringCase("\"x-mine\"");
        assertThat(echo.path("body").asString("")).isEqualTo("text");
        assertThat(response.headers().firstValue("IOCluster-Outcome")).contains("answered");
        assertThat(response.headers().firstValue("IOCluster-Attempts")).contains("1");
    }

    @Test
    void headHasNoBody() {
        HttpResponse<String> response = door.forward("HEAD", "/body?bytes=10", "");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 301, 404, 418, 500, 503})
    void theStatusOfTheTargetComesBack(int status) {
        HttpResponse<String> response =
                door.forward("POST", "/status?code=" + status, "", "IOCluster-Deadline-Ms", "5000");

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("IOCluster-Outcome")).contains("answered");
    }

    @Test
    void headersOfOneConnectionAreNotForwarded() {
        String target = door.target.url("/echo");

        String response = door.raw("GET /v1/forward/" + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + "Connection: close, X-Secret-Hop\r\nX-Secret-Hop: 1\r\nKeep-Alive: timeout=5\r\nTE: trailers\r\n"
                + "Proxy-Connection: keep-alive\r\nUpgrade: websocket\r\nIOCluster-App: shop\r\nX-Kept: 1\r\n\r\n");

        assertThat(response).startsWith("HTTP/1.1 200").containsIgnoringCase("x-kept");
        String echoed = response.substring(response.indexOf("\r\n\r\n"));
        assertThat(echoed)
                .doesNotContainIgnoringCase("x-secret-hop")
                .doesNotContainIgnoringCase("keep-alive\"")
                .doesNotContainIgnoringCase("proxy-connection")
                .doesNotContainIgnoringCase("websocket")
                .doesNotContainIgnoringCase("iocluster-app");
    }

    @Test
    void theQueryReachesTheTargetAsItWasWritten() {
        HttpResponse<String> response = door.forward("GET", "/headers?X-Encoded=a%252Fb%3D+c&X-Url=http://x/%2F", "");

        assertThat(response.headers().firstValue("X-Encoded")).contains("a%2Fb= c");
        assertThat(response.headers().firstValue("X-Url")).contains("http://x//");
    }

    @Test
    void headersOfTheTargetComeBackExceptThoseOfTheDoor() {
        HttpResponse<String> response = door.forward(
                "GET", "/headers?X-Rate=5&Set-Cookie=a%3Db&IOCluster-Outcome=forged&Proxy-Authenticate=Basic", "");

        assertThat(response.headers().firstValue("X-Rate")).contains("5");
        assertThat(response.headers().firstValue("Set-Cookie")).contains("a=b");
        assertThat(response.headers().allValues("IOCluster-Outcome")).containsExactly("answered");
        assertThat(response.headers().firstValue("Proxy-Authenticate")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/never, 200, 504, deadline-exceeded, expired",
        "/body?bytes=5000, 5000, 502, response-too-large, answered",
        "/garbage, 5000, 502, protocol-error, failed"
    })
    void aCallWithoutResponseBecomesAProblem(
            String path, String deadline, int status, String expected, String outcome) {
        HttpResponse<String> response = door.forward("POST", path, "", "IOCluster-Deadline-Ms", deadline);

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(code(response)).isEqualTo(expected);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.headers().firstValue("IOCluster-Code")).contains(expected);
        assertThat(response.headers().firstValue("IOCluster-Outcome")).contains(outcome);
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/forward/http://169.254.169.254/, 403, address-not-allowed",
        "/v1/forward/ftp://partner.example/, 400, invalid-url",
        "/v1/forward/, 400, invalid-url",
        "/v1/forward/partner.example/a, 400, invalid-url"
    })
    void aTargetThatIsNotAllowedIsRefused(String path, int status, String expected) {
        HttpResponse<String> response = door.get(path);

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(code(response)).isEqualTo(expected);
    }
}
