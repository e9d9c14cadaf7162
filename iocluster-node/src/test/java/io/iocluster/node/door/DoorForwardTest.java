package io.iocluster.node.door;

import static io.iocluster.node.door.DoorFixture.code;
import static io.iocluster.node.door.DoorFixture.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.function.IntConsumer;
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
                door.forward("POST", "/status?code=" + status, "", "IOCluster-Deadline-Ms", "30000");

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
                // The value of the node's own Connection header is keep-alive.
                .doesNotContainIgnoringCase("\"keep-alive\":")
                .doesNotContainIgnoringCase("timeout=5")
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/?a=%7Eb&c=%61&d=%3d&e=%2F&f=/&g=+&h=%20&i=!$'()*,;&j=%5B%5D&k=[]",
                "/%7Euser/%61/%2f/%2F;v=1",
                "/;v=1/%3B",
                "/?file=../a&b=a..b"
            })
    void aValidUrlReachesTheTargetByteByByte(String path) throws IOException {
        withEcho(port ->
                assertThat(forward(port, path)).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n" + path));
    }

    @Test
    void aUrlIsNotReplacedByAnEarlierOneWithAnotherSpelling() throws IOException {
        withEcho(port -> {
            assertThat(forward(port, "/%7Euser")).endsWith("\r\n\r\n/%7Euser");
            assertThat(forward(port, "/~user")).endsWith("\r\n\r\n/~user");
        });
    }

    private String forward(int port, String path) {
        return door.raw("GET /v1/forward/http://127.0.0.1:" + port + path
                + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
    }

    /** Runs a test with the port of a server that returns the target of each request. */
    private static void withEcho(IntConsumer test) throws IOException {
        HttpServer echo = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        echo.createContext("/", exchange -> {
            byte[] target = exchange.getRequestURI().toString().getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, target.length);
            exchange.getResponseBody().write(target);
            exchange.close();
        });
        echo.start();
        try {
            test.accept(echo.getAddress().getPort());
        } finally {
            echo.stop(0);
        }
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
        "/body?bytes=5000, 30000, 502, response-too-large, answered",
        "/garbage, 30000, 502, protocol-error, failed"
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
