package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ProxySettings;
import io.iocluster.http.client.server.Http2Target;
import io.iocluster.message.Header;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.target.ScriptedServer;
import io.netty.resolver.DefaultAddressResolverGroup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a target gets the same headers and the same framing information in HTTP/1.1 and HTTP/2. */
@Timeout(60)
class RequestOnTheWireTest extends ExecutorFixture {

    /** HTTP version of the target. */
    enum Protocol {
        HTTP_1,
        HTTP_2
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void sendsEachValueUnchanged(Protocol protocol) throws Exception {
        List<Header> headers = List.of(
                new Header("X-Empty", ""),
                new Header("X-Inner", "a \t b"),
                new Header("X-Latin", "caf\u00e9 \u00ff"),
                new Header("X-Utf8", "\u00e2\u0080\u0094"),
                new Header("X-C1", "\u0080\u0085\u009f"),
                new Header("X-Colon", ":a: b"),
                new Header("X-Tag", "one"),
                new Header("x-tag", "two, three"),
                new Header("Cookie", "a=1; b=2"),
                new Header("Idempotency-Key", "click-42"),
                new Header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
                new Header("X-Long", "y".repeat(7_000)));

        List<String> lines = received(protocol, "POST", "body", headers);

        assertThat(lines)
                .containsSubsequence(headers.stream()
                        .map(header -> header.name().toLowerCase(Locale.ROOT) + ": " + header.value())
                        .toList());
        assertThat(lines).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP_1, GET, -1, -1",
        "HTTP_2, GET, -1, -1",
        "HTTP_1, GET, 4, 4",
        "HTTP_2, GET, 4, 4",
        "HTTP_1, DELETE, -1, -1",
        "HTTP_2, DELETE, -1, -1",
        "HTTP_1, DELETE, 4, 4",
        "HTTP_2, DELETE, 4, 4",
        "HTTP_1, OPTIONS, -1, -1",
        "HTTP_2, OPTIONS, -1, -1",
        "HTTP_1, POST, -1, 0",
        "HTTP_2, POST, -1, 0",
        "HTTP_1, POST, 0, 0",
        "HTTP_2, POST, 0, 0",
        "HTTP_1, POST, 4, 4",
        "HTTP_2, POST, 4, 4",
        "HTTP_1, PUT, -1, 0",
        "HTTP_2, PUT, -1, 0",
        "HTTP_1, PATCH, -1, 0",
        "HTTP_2, PATCH, -1, 0",
    })
    void saysHowLongTheBodyIs(Protocol protocol, String method, int bodyLength, int announced) throws Exception {
        List<String> lines = received(protocol, method, bodyLength < 0 ? null : "x".repeat(bodyLength), List.of());

        assertThat(lines.stream().filter(line -> line.startsWith("content-length:")))
                .containsExactlyElementsOf(announced < 0 ? List.of() : List.of("content-length: " + announced));
        assertThat(lines.stream().filter(line -> line.startsWith("transfer-encoding:")))
                .isEmpty();
        assertThat(lines).last().isEqualTo("" + Math.max(0, bodyLength));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void sendsConnectionCloseOverHttp1Only(Protocol protocol) throws Exception {
        HttpSettings noKeepAlive = RecordCopy.with(HttpSettings.DEFAULTS, "idleTimeout", Duration.ZERO);

        List<String> lines = received(protocol, noKeepAlive, "GET", null, List.of());

        assertThat(lines.contains("connection: close")).isEqualTo(protocol == Protocol.HTTP_1);
    }

    private List<String> received(Protocol protocol, String method, String body, List<Header> headers)
            throws Exception {
        return received(protocol, HttpSettings.DEFAULTS, method, body, headers);
    }

    /** Returns the headers that the target received, with names in lower case, then the size of the body. */
    private List<String> received(
            Protocol protocol, HttpSettings settings, String method, String body, List<Header> headers)
            throws Exception {
        byte[] bytes = body == null ? null : body.getBytes(StandardCharsets.ISO_8859_1);
        if (protocol == Protocol.HTTP_1) {
            ScriptedServer server = server(respondingWith(OK));
            executor(settings)
                    .response(new HttpRequest(
                            method, new TargetUrl("http", "127.0.0.1", server.port(), "/headers"), headers, bytes));
            String request = server.requests().get(0);
            int end = request.indexOf("\r\n\r\n");
            List<String> lines = new ArrayList<>(request.substring(0, end)
                    .lines()
                    .skip(1)
                    .map(RequestOnTheWireTest::withLowerCaseName)
                    .toList());
            lines.add("" + (request.length() - end - 4));
            return lines;
        }
        Http2Target target = open(new Http2Target(AUTHORITY.target()));
        TestExecutor executor = open(new TestExecutor(
                settings,
                new HttpProfile(Duration.ofSeconds(3), true, false, AUTHORITY.trust(), ProxySettings.NONE),
                null,
                DefaultAddressResolverGroup.INSTANCE,
                TestExecutor.always(TestExecutor.policy("127.0.0.0/8"))));
        return TestExecutor.text(executor.response(new HttpRequest(
                        method, new TargetUrl("https", "127.0.0.1", target.port(), "/headers"), headers, bytes)))
                .lines()
                .toList();
    }

    private static String withLowerCaseName(String line) {
        int colon = line.indexOf(':');
        return line.substring(0, colon).toLowerCase(Locale.ROOT) + line.substring(colon);
    }
}
