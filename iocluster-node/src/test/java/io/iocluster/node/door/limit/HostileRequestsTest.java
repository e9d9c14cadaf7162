package io.iocluster.node.door.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.door.DoorFixture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Malformed, oversized, slow and smuggled requests: each gets a 4xx, or its connection is closed, and no call is made. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileRequestsTest {

    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String HEAD = "POST /v1/calls HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n";

    private DoorFixture door;

    @BeforeAll
    void start() {
        door = new DoorFixture("limits: {max-body: 2KiB, max-headers: 4KiB, body-timeout: 3s}");
    }

    @AfterAll
    void stop() {
        door.close();
    }

    /** In a request, @E is a valid envelope, @L its length, and @H its length in hexadecimal. */
    static Stream<Arguments> requests() {
        return Stream.of(
                // Bodies that are no envelope.
                body("empty", "", "malformed-envelope"),
                body("not JSON", "url=http://x/", "malformed-envelope"),
                body("an array", "[]", "malformed-envelope"),
                body("two objects", "{\"url\": \"http://x/\"} {}", "malformed-envelope"),
                body("not UTF-8", "{\"url\": \"http://x/\u00ff\"}", "malformed-envelope"),
                body("nested too deep", "[".repeat(1_500), "malformed-envelope"),
                body("cut off", "{\"url\": \"http://x/\"", "malformed-envelope"),
                body("no URL", "{}", "invalid-url"),
                body("an unknown field", "{\"url\": \"http://x/\", \"uri\": 1}", "unknown-field"),
                body("a repeated field", "{\"url\": \"http://x/\", \"url\": \"http://y/\"}", "invalid-envelope"),
                body("a wrong type", "{\"url\": 5}", "invalid-envelope"),
                body("a wrong deadline", "{\"url\": \"http://x/\", \"deadlineMs\": -1}", "invalid-timeout"),
                body("a reply-to", "{\"url\": \"http://x/\", \"replyTo\": \"q\"}", "invalid-envelope"),
                body("no reply", "{\"url\": \"http://x/\", \"reply\": \"never\"}", "invalid-envelope"),
                body(
                        "two bodies",
                        "{\"url\": \"http://x/\", \"body\": \"a\", \"bodyBase64\": \"YQ==\"}",
                        "invalid-body"),
                // Bodies and heads that are too large or of another type.
                body("too large", " ".repeat(3_000), "413"),
                raw(
                        "too large without a length",
                        HEAD + JSON + "Transfer-Encoding: chunked\r\n\r\nbb8\r\n" + " ".repeat(3_000) + "\r\n0\r\n\r\n",
                        "413"),
                raw("an announced size", HEAD + JSON + "Content-Length: 99999999\r\n\r\n", "413"),
                raw("no type", HEAD + "Content-Length: @L\r\n\r\n@E", "415"),
                raw(
                        "a form",
                        HEAD + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: @L\r\n\r\n@E",
                        "415"),
                raw("text", HEAD + "Content-Type: text/plain\r\nContent-Length: @L\r\n\r\n@E", "415"),
                raw("large headers", HEAD + "X-Large: " + "x".repeat(5_000) + "\r\n\r\n", "4"),
                raw("many headers", HEAD + "X-A: b\r\n".repeat(1_000) + "\r\n", "4"),
                raw("a long request line", "GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "4"),
                // Requests that two servers would understand in different ways.
                raw("two lengths", HEAD + JSON + "Content-Length: @L\r\nContent-Length: 3\r\n\r\n@E", "4"),
                raw("a list of lengths", HEAD + JSON + "Content-Length: @L, 3\r\n\r\n@E", "4"),
                raw("a negative length", HEAD + JSON + "Content-Length: -1\r\n\r\n", "4"),
                raw("a signed length", HEAD + JSON + "Content-Length: +@L\r\n\r\n@E", "4"),
                raw("a length that is no number", HEAD + JSON + "Content-Length: two\r\n\r\n@E", "4"),
                raw(
                        "a length and chunks",
                        HEAD + JSON
                                + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\n\r\n",
                        "4"),
                raw("an unknown coding", HEAD + JSON + "Transfer-Encoding: xchunked\r\n\r\n@H\r\n@E\r\n0\r\n\r\n", "4"),
                raw(
                        "two codings",
                        HEAD + JSON + "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n@H\r\n@E\r\n0\r\n\r\n",
                        "4"),
                raw(
                        "chunks in HTTP/1.0",
                        "POST /v1/calls HTTP/1.0\r\nHost: 127.0.0.1\r\n" + JSON
                                + "Transfer-Encoding: chunked\r\n\r\n@H\r\n@E\r\n0\r\n\r\n",
                        "4"),
                raw("a wrong chunk size", HEAD + JSON + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", "4"),
                raw("a space before the colon", HEAD + JSON + "Content-Length : @L\r\n\r\n@E", "4"),
                raw("a folded header", HEAD + "X-A: b\r\n Content-Length: 2\r\n" + JSON + "\r\n", "4"),
                raw("a header without a name", HEAD + ": b\r\n\r\n", "4"),
                raw("a zero byte", HEAD + "X-A: a\u0000b\r\n\r\n", "4"),
                raw(
                        "no host",
                        "POST /v1/calls HTTP/1.1\r\nConnection: close\r\n" + JSON + "Content-Length: @L\r\n\r\n@E",
                        "4"),
                raw(
                        "two hosts",
                        HEAD + "Host: localhost\r\n" + JSON + "Content-Length: @L\r\n\r\n@E",
                        "invalid-request"),
                raw(
                        "the same host twice",
                        HEAD + "Host: 127.0.0.1\r\n" + JSON + "Content-Length: @L\r\n\r\n@E",
                        "invalid-request"),
                raw("not HTTP", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n", "4"),
                raw("another version", "GET /v1/calls HTTP/9.9\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", "4"),
                raw(
                        "an unknown method",
                        "BREW /v1/calls HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
                        "4"),
                raw(
                        "a proxy request",
                        "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
                        "4"),
                raw(
                        "a tunnel",
                        "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
                        "4"),
                // Paths.
                raw("an unknown path", get("/v1/unknown"), "404"),
                raw("a path upwards", get("/v1/calls/../../etc/passwd"), "4"),
                raw("an encoded path upwards", get("/v1/forward/%2e%2e/%2e%2e/livez"), "4"),
                raw("another method", get("/v1/calls"), "405"),
                raw("an invalid encoding", get("/v1/calls/%zz"), "4"),
                // Slow requests.
                raw("half a head", "POST /v1/calls HTTP/1.1\r\nHost: 127", "closed"),
                raw(
                        "half a body",
                        "POST /v1/calls HTTP/1.1\r\nHost: 127.0.0.1\r\n" + JSON + "Content-Length: 100\r\n\r\n{\"url\"",
                        "408"));
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    }

    private static Arguments body(String name, String body, String expected) {
        return raw(name, HEAD + JSON + "Content-Length: " + body.length() + "\r\n\r\n" + body, expected);
    }

    private static Arguments raw(String name, String bytes, String expected) {
        return Arguments.of(name, bytes, expected);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("requests")
    void isRefusedWithoutACall(String name, String bytes, String expected) {
        String envelope = door.envelope("/ok");
        String response = door.raw(bytes.replace("@E", envelope)
                .replace("@L", Integer.toString(envelope.length()))
                .replace("@H", Integer.toHexString(envelope.length())));

        switch (expected) {
            case "closed" -> assertThat(response).isEmpty();
            case "4" -> assertThat(response).matches("(?s)(HTTP/1\\.1 4\\d\\d .*)?");
            case "404", "405", "408", "413", "415" -> assertThat(response).startsWith("HTTP/1.1 " + expected);
            default -> assertThat(response).startsWith("HTTP/1.1 400").contains("\"code\":\"" + expected + "\"");
        }
        assertThat(response.split("HTTP/1\\.1 ", -1)).as("one response").hasSizeLessThanOrEqualTo(2);
        assertThat(door.targetRequests()).isZero();
    }

    @Test
    void theDoorWorksAfterAllOfThem() {
        assertThat(door.get("/readyz").statusCode()).isEqualTo(200);
    }
}
