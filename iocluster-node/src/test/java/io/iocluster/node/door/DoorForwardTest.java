package io.iocluster.node.door;

import static io.iocluster.node.door.DoorFixture.code;
import static io.iocluster.node.door.DoorFixture.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
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
        assertThat(response.headers().firstValue("Set-Cookie"))
                .contains("a=b; Path=/v1/forward/" + door.target.url("/"));
        assertThat(response.headers().allValues("IOCluster-Outcome")).containsExactly("answered");
        assertThat(response.headers().firstValue("Proxy-Authenticate")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/a/b?x=1, next, /v1/forward/TARGET/a/next",
        "/a/b, ../c?d=/../#e, /v1/forward/TARGET/c?d=/../#e",
        "/a/b, ./, /v1/forward/TARGET/a/",
        "/a/b, /c/../../d, /v1/forward/TARGET/d",
        "/a/b?x=1, ?y=2, /v1/forward/TARGET/a/b?y=2",
        "/a/b?x=1, #c, /v1/forward/TARGET/a/b?x=1#c",
        "/, //other.example/c, /v1/forward/http://other.example/c",
        "/, HTTPS://other.example/c, /v1/forward/https://other.example/c",
        "/, mailto:a@b.example, mailto:a@b.example"
    })
    void aRedirectLeadsThroughTheDoor(String path, String location, String expected) throws IOException {
        withHeaders(List.of("Location: " + location), origin -> {
            HttpResponse<String> response = door.get("/v1/forward/" + origin + path);

            assertThat(response.headers().firstValue("Location")).contains(expected.replace("TARGET", origin));
        });
    }

    @Test
    void aRedirectToAnotherTargetDropsTheCredentialsOfTheFirst() throws IOException {
        withHeaders(List.of("Location: " + door.target.url("/echo")), origin -> {
            HttpResponse<String> same = door.get("/v1/forward/" + origin + "/");
            HttpResponse<String> redirect = door.get("/v1/forward/" + origin + "/", "Authorization", "Bearer secret");
            String location = redirect.headers().firstValue("Location").orElseThrow();
            HttpResponse<String> followed = door.get(location, "Authorization", "Bearer secret");

            assertThat(same.headers().firstValue("Location")).contains("/v1/forward/" + door.target.url("/echo"));
            assertThat(location).isEqualTo("/v1/forward/without-credentials/" + door.target.url("/echo"));
            assertThat(followed.statusCode()).isEqualTo(200);
            assertThat(followed.body())
                    .doesNotContainIgnoringCase("authorization")
                    .doesNotContain("secret");
        });
    }

    /** A client stores the cookies of all targets for the host of the door. */
    @Test
    void aClientSendsACookieOnlyToTheTargetThatSetIt() throws IOException {
        List<String> cookies =
                List.of("Set-Cookie: a=1", "Set-Cookie: b=2; Path=/; Domain=example.com; HttpOnly; Secure");
        withHeaders(cookies, origin -> {
            CookieManager jar = new CookieManager(null, CookiePolicy.ACCEPT_ALL);
            HttpClient client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .cookieHandler(jar)
                    .build();

            HttpResponse<String> first = get(client, origin + "/folder/page");
            String again = get(client, origin + "/folder/echo").body();
            String otherFolder = get(client, origin + "/echo").body();
            String otherTarget = get(client, door.target.url("/echo")).body();

            assertThat(first.headers().allValues("Set-Cookie"))
                    .containsExactlyInAnyOrder(
                            "a=1; Path=/v1/forward/" + origin + "/folder",
                            "b=2; HttpOnly; Path=/v1/forward/" + origin + "/");
            assertThat(again).contains("a=1").contains("b=2");
            assertThat(otherFolder).contains("b=2").doesNotContain("a=1");
            assertThat(otherTarget).doesNotContain("a=1").doesNotContain("b=2");
        });
    }

    private HttpResponse<String> get(HttpClient client, String url) {
        return client.sendAsync(door.request("/v1/forward/" + url).build(), BodyHandlers.ofString())
                .join();
    }

    /** Runs a test with the origin of a server that sends these headers, and the cookies of the request as its body. */
    private static void withHeaders(List<String> headers, Consumer<String> test) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = String.join("; ", exchange.getRequestHeaders().getOrDefault("Cookie", List.of()))
                    .getBytes(StandardCharsets.US_ASCII);
            for (String header : headers) {
                exchange.getResponseHeaders()
                        .add(header.substring(0, header.indexOf(':')), header.substring(header.indexOf(':') + 2));
            }
            boolean redirects = headers.get(0).startsWith("Location");
            exchange.sendResponseHeaders(redirects ? 302 : 200, redirects || body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
            exchange.close();
        });
        server.start();
        try {
            test.accept("http://127.0.0.1:" + server.getAddress().getPort());
        } finally {
            server.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET http://partner.example/ HTTP/1.1\r\nHost: partner.example",
                "CONNECT partner.example:443 HTTP/1.1\r\nHost: partner.example:443"
            })
    void explainsForwardingToAClientThatUsesTheDoorAsAProxy(String head) {
        String response = door.raw(head + "\r\nConnection: close\r\n\r\n");

        assertThat(response)
                .startsWith("HTTP/1.1 4")
                .contains("not a proxy", "put the address of the door and /v1/forward/");
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
