package io.iocluster.http.client;

import static io.iocluster.http.client.TestExecutor.get;
import static io.iocluster.http.client.TestExecutor.request;
import static io.iocluster.http.client.TestExecutor.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.http.HttpResult;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.testkit.target.ScriptedServer.ScriptedConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NettyHttpExecutorTest extends ExecutorFixture {

    @Test
    void sendsTheRequestUnchanged() {
        ScriptedServer server = server(respondingWith(OK));
        HttpResult.Response response = executor()
                .response(request(
                        "POST",
                        server.port(),
                        "/a/../b;c?d=e%20f&[g]",
                        "body",
                        new Header("X-Tag", "a"),
                        new Header("x-tag", "b"),
                        new Header("X-Latin", "é")));
        assertThat(response.status()).isEqualTo(200);
        assertThat(text(response)).isEqualTo("ok");
        assertThat(response.truncated()).isFalse();
        assertThat(server.requests())
                .singleElement()
                .asString()
                .startsWith("POST /a/../b;c?d=e%20f&[g] HTTP/1.1\r\n")
                .contains("host: 127.0.0.1:" + server.port() + "\r\n")
                .contains("X-Tag: a\r\nx-tag: b\r\nX-Latin: é\r\n")
                .contains("content-length: 4\r\n")
                .contains("user-agent: IOCluster\r\n")
                .doesNotContainIgnoringCase("accept-encoding")
                .endsWith("\r\n\r\nbody");
    }

    @Test
    void keepsTheUserAgentOfTheCall() {
        ScriptedServer server = server(respondingWith(OK));
        executor().response(request("GET", server.port(), "/", null, new Header("User-Agent", "mine")));
        assertThat(server.requests().get(0)).contains("User-Agent: mine\r\n").doesNotContain("IOCluster");
    }

    @Test
    void rejectsTheConnectMethod() {
        ScriptedServer server = server(respondingWith(OK));
        HttpResult.Failure failure = executor().failure(request("CONNECT", server.port(), "/", null));
        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_METHOD);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        assertThat(server.connections()).isZero();
    }

    @Test
    void returnsLowerCaseHeadersWithoutHopByHopHeaders() {
        ScriptedServer server = server(respondingWith("""
                HTTP/1.1 404 Not Found
                X-A: 1
                Connection: keep-alive, X-Private
                X-Private: 2
                Keep-Alive: timeout=5
                x-a: 3
                Trailer: X-T
                Upgrade: h2c
                Transfer-Encoding: chunked

                2
                ok
                0
                X-T: 4

                """));
        HttpResult.Response response = executor().response(get(server.port(), "/"));
        assertThat(response.status()).isEqualTo(404);
        assertThat(response.headers()).containsExactly(new Header("x-a", "1"), new Header("x-a", "3"));
        assertThat(text(response)).isEqualTo("ok");
    }

    @Test
    void storesNoCookiesAndFollowsNoRedirect() {
        ScriptedServer other = server(respondingWith(OK));
        ScriptedServer server = server(respondingWith("HTTP/1.1 302 Found\nLocation: http://127.0.0.1:" + other.port()
                + "/\nSet-Cookie: a=b; Path=/\nContent-Length: 0\n\n"));
        TestExecutor executor = executor();
        HttpResult.Response response = executor.response(get(server.port(), "/"));
        executor.response(get(server.port(), "/"));
        assertThat(response.status()).isEqualTo(302);
        assertThat(response.headers()).contains(new Header("set-cookie", "a=b; Path=/"));
        assertThat(server.requests()).hasSize(2).noneMatch(request -> request.contains("a=b"));
        assertThat(other.connections()).isZero();
    }

    @Test
    void returnsA401Unchanged() {
        ScriptedServer server = server(respondingWith(
                "HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Basic realm=\"x\"\nContent-Length: 0\n\n"));
        assertThat(executor().response(get(server.port(), "/")).status()).isEqualTo(401);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void reportsTheTimeToTheFirstByte() {
        ScriptedServer server = server(connection -> {
            connection.read();
            // The delay that the test measures.
            TimeUnit.MILLISECONDS.sleep(100);
            connection.send(OK);
        });
        HttpResult.AttemptTiming timing =
                executor().response(get(server.port(), "/")).timing();
        assertThat(timing.firstByteMs()).isBetween(99L, 60_000L);
        assertThat(timing.tlsMs()).isZero();
    }

    @Test
    void throwsIfCalledOutsideItsEventLoop() {
        TestExecutor executor = executor();
        assertThatThrownBy(
                        () -> executor.executor().execute(get(1, "/"), Duration.ofSeconds(1), TestExecutor.UNLIMITED))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void failsOpenAttemptsWhenClosed() {
        ScriptedServer server = server(ScriptedConnection::awaitClose);
        TestExecutor executor = executor();
        List<CompletableFuture<HttpResult>> calls = Stream.generate(() -> executor.call(get(server.port(), "/")))
                .limit(3)
                .toList();
        await().untilAsserted(() -> assertThat(server.connections()).isEqualTo(3));
        executor.executor().close();
        for (CompletableFuture<HttpResult> call : calls) {
            assertThat(TestExecutor.failure(call.join()).code()).isEqualTo(ErrorCode.CONNECTION_CLOSED);
        }
        HttpResult.Failure failure = executor.failure(get(server.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.CONNECTION_CLOSED);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        assertThat(executor.loop().isShuttingDown())
                .as("the owner shuts the loop down")
                .isFalse();
    }
}
