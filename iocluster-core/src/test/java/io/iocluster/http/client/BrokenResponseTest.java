package io.iocluster.http.client;

import static io.iocluster.http.client.TestExecutor.get;
import static io.iocluster.http.client.TestExecutor.post;
import static io.iocluster.http.client.TestExecutor.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpResult;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.iocluster.testkit.target.ScriptedServer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests responses that HTTP/1.1 does not allow, and interim responses. */
@Timeout(60)
class BrokenResponseTest extends ExecutorFixture {

    @ParameterizedTest
    @ValueSource(ints = {100, 102, 103, 199})
    void skipsInterimResponsesAndKeepsTheNextCallIntact(int interim) {
        ScriptedServer server = server(connection -> {
            for (int i = 1; connection.read() != null; i++) {
                connection.send("HTTP/1.1 " + interim + " Wait\nLink: x\n\nHTTP/1.1 200 OK\nContent-Length: 1\n\n" + i);
            }
        });
        TestExecutor executor = executor();
        for (int i = 1; i <= 3; i++) {
            HttpResult.Response response = executor.response(post(server.port(), "/", "body"));
            assertThat(response.status()).isEqualTo(200);
            assertThat(text(response)).isEqualTo("" + i);
            assertThat(response.headers()).containsExactly(new Header("content-length", "1"));
        }
        assertThat(server.connections()).isEqualTo(1);
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void failsAfterTooManyInterimResponses() {
        ScriptedServer server = server(connection -> {
            connection.read();
            while (true) {
                connection.send("HTTP/1.1 102 Processing\n\n");
            }
        });
        HttpResult.Failure failure = executor().failure(get(server.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        assertThat(failure.sent()).isEqualTo(SentStatus.MAYBE);
    }

    @Test
    void rejectsAProtocolSwitch() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send("HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\nConnection: upgrade\n\nxx");
            connection.awaitClose();
        });
        assertThat(executor().failure(get(server.port(), "/")).code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\n\n",
                "HTTP/1.1 abc OK\n\n",
                "HTTP/1.1 0 OK\nContent-Length: 0\n\n",
                "HTTP/1.1 99 OK\nContent-Length: 0\n\n",
                "HTTP/1.1 20 0 OK\nContent-Length: 0\n\n",
                "HTTP/1.1 1000 OK\nContent-Length: 0\n\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: gzip\n\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked\n\n0\n\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: gzip\nTransfer-Encoding: chunked\n\n0\n\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: identity\nTransfer-Encoding: gzip\nContent-Length: 2\n\nok",
                "HTTP/1.1 200 OK\nTransfer-Encoding: xchunked\n\n0\n\n",
                "HTTP/1.1 200 OK\nContent-Length: -5\n\n",
                "HTTP/1.1 200 OK\nContent-Length: 5, 6\n\nhello",
                "HTTP/1.1 200 OK\nContent-Length: 5\nContent-Length: 6\n\nhello!",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nzz\n",
                "HTTP/1.1 200 OK\nContent-Length: 5\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n"
            })
    void failsWithProtocolErrorForAnInvalidResponse(String invalid) {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send(invalid);
            connection.awaitClose();
        });
        TestExecutor executor = executor();
        HttpResult.Failure failure = executor.failure(get(server.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        await().untilAsserted(() ->
                assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 0, 0)));
    }

    @Test
    void acceptsTheHeadOfAnOrdinaryWebApplication() {
        String policy = "Content-Security-Policy: default-src 'self'; img-src " + "https://cdn.example/ ".repeat(200);
        String cookies = IntStream.range(0, 5)
                .mapToObj(i -> "Set-Cookie: c" + i + "=" + "v".repeat(900) + "; Path=/; HttpOnly\n")
                .collect(Collectors.joining());
        ScriptedServer server =
                server(respondingWith("HTTP/1.1 200 OK\nContent-Length: 2\n" + policy + "\n" + cookies + "\nok"));
        HttpResult.Response response = executor().response(get(server.port(), "/"));

        assertThat(text(response)).isEqualTo("ok");
        assertThat(response.headers()).hasSize(7);
    }

    @Test
    void acceptsAHeadOfSixtyKibibytes() {
        String large = "X-Large: " + "v".repeat(60 * 1024);
        ScriptedServer server = server(respondingWith("HTTP/1.1 200 OK\nContent-Length: 2\n" + large + "\n\nok"));

        assertThat(text(executor().response(get(server.port(), "/")))).isEqualTo("ok");
    }

    @Test
    void limitsTheNumberOfResponseHeaders() {
        String headers =
                IntStream.range(0, 255).mapToObj(i -> "h" + i + ": v\n").collect(Collectors.joining());
        ScriptedServer allowed = server(respondingWith("HTTP/1.1 200 OK\nContent-Length: 0\n" + headers + "\n"));
        ScriptedServer tooMany = server(respondingWith("HTTP/1.1 200 OK\nContent-Length: 0\nx: y\n" + headers + "\n"));
        TestExecutor executor = executor();

        assertThat(executor.response(get(allowed.port(), "/")).headers()).hasSize(256);
        HttpResult.Failure failure = executor.failure(get(tooMany.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        assertThat(failure.sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(failure.message()).contains("256 headers").contains("http.max-response-header-count");
    }

    @Test
    void limitsTheSizeOfResponseHeaders() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send("HTTP/1.1 200 OK\n");
            while (true) {
                connection.send("X-More: and more\n");
            }
        });
        assertThat(executor().failure(get(server.port(), "/")).code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
    }
}
