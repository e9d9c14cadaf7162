package io.iocluster.http.client;

import static io.iocluster.http.client.TestExecutor.get;
import static io.iocluster.http.client.TestExecutor.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.testkit.target.ScriptedServer.Script;
import io.netty.channel.SingleThreadEventLoop;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests how often a request is sent when its connection closes before the response is complete. */
@Timeout(60)
class NoDuplicateSendTest extends ExecutorFixture {

    @Test
    void resendsAGetIfTheIdleConnectionWasClosed() {
        ScriptedServer server = server(closeOnSecondRequest(3, false));
        TestExecutor executor = executor();
        warmUp(executor, server, 3);
        assertThat(text(executor.response(get(server.port(), "/")))).isEqualTo("ok");
        assertThat(server.connections()).isEqualTo(4);
        assertThat(server.requests()).hasSize(5);
    }

    @Test
    void sendsAGetAtMostTwice() {
        ScriptedServer server = server(connection -> {
            connection.read();
            if (connection.number() == 1) {
                connection.send(OK);
                connection.read();
            }
        });
        TestExecutor executor = executor();
        warmUp(executor, server, 1);
        assertThat(executor.failure(get(server.port(), "/")).code()).isEqualTo(ErrorCode.CONNECTION_CLOSED);
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void aGetThatWasSentOnAnIdleConnectionMayHaveBeenSentAlthoughItCannotBeResent() {
        AtomicReference<ScriptedServer> itself = new AtomicReference<>();
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send(OK);
            connection.read();
            itself.get().close();
        });
        itself.set(server);
        TestExecutor executor = executor();
        warmUp(executor, server, 1);

        HttpResult.Failure failure = executor.failure(get(server.port(), "/"));

        assertThat(failure.code()).isEqualTo(ErrorCode.CONNECT_REFUSED);
        assertThat(failure.sent()).isEqualTo(SentStatus.MAYBE);
    }

    /** What a target may send on an idle connection, after which it processes no request. */
    private enum IdleEnd {
        FIN(false, connection -> connection.finish()),
        RST(false, connection -> connection.reset()),
        ANSWER_TO_NO_REQUEST(false, connection -> connection.send("HTTP/1.1 408 Timeout\nContent-Length: 0\n\n")),
        CLOSE_NOTIFY(true, connection -> connection.closeNotify()),
        FIN_WITHOUT_CLOSE_NOTIFY(true, connection -> connection.finish()),
        ANSWER_TO_NO_REQUEST_OVER_TLS(true, ANSWER_TO_NO_REQUEST.bytes);

        private final boolean secure;
        private final Script bytes;

        IdleEnd(boolean secure, Script bytes) {
            this.secure = secure;
            this.bytes = bytes;
        }
    }

    /** A long task of the event loop separates the read that shows that the connection is open from the write of the POST. */
    @ParameterizedTest
    @EnumSource
    void sendsAPostOnANewConnectionIfTheIdleOneEndsAfterTheLastRead(IdleEnd end) {
        CountDownLatch ending = latch();
        Script script = connection -> {
            connection.read();
            connection.send(OK);
            if (connection.number() == 1) {
                ending.await();
                end.bytes.play(connection);
            }
            connection.read();
        };
        ScriptedServer server = end.secure
                ? open(new ScriptedServer(AUTHORITY.context(), List.of("http/1.1"), script))
                : server(script);
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));
        HttpRequest get = request("GET", end, server.port(), null);
        assertThat(executor.await(get)).isInstanceOf(HttpResult.Response.class);
        executor.awaitEndOfTurn();

        HttpResult result = executor.onLoop(() -> {
                    SingleThreadEventLoop loop =
                            (SingleThreadEventLoop) executor.loop().next();
                    loop.executeAfterEventLoopIteration(() -> loop.execute(() -> {
                        ending.countDown();
                        await().until(() -> TcpSockets.haveUnread(server.port()) || !TcpSockets.areOpen(server.port()));
                    }));
                    return executor.executor()
                            .execute(
                                    request("POST", end, server.port(), "body"),
                                    TestExecutor.LONG_TIMEOUT,
                                    TestExecutor.UNLIMITED);
                })
                .toCompletableFuture()
                .join();

        assertThat(result).isInstanceOf(HttpResult.Response.class);
        assertThat(server.connections()).isEqualTo(2);
        assertThat(server.requests()).hasSize(2);
    }

    private static HttpRequest request(String method, IdleEnd end, int port, String body) {
        return new HttpRequest(
                method,
                new TargetUrl(end.secure ? "https" : "http", "127.0.0.1", port, "/"),
                List.of(),
                body == null ? null : body.getBytes(StandardCharsets.US_ASCII));
    }

    private void warmUp(TestExecutor executor, ScriptedServer server, int connections) {
        List<CompletableFuture<HttpResult>> calls = Stream.generate(() -> executor.call(get(server.port(), "/")))
                .limit(connections)
                .toList();
        calls.forEach(call -> assertThat(call.join()).isInstanceOf(HttpResult.Response.class));
        assertThat(server.connections()).isEqualTo(connections);
    }

    /** Each of the first connections responds to one request, when all have one, and closes when it gets a second. */
    private Script closeOnSecondRequest(int first, boolean reset) {
        CountDownLatch together = new CountDownLatch(first);
        return connection -> {
            connection.read();
            together.countDown();
            together.await();
            connection.send(OK);
            if (connection.number() <= first) {
                connection.read();
                if (reset) {
                    connection.reset();
                }
            } else {
                connection.awaitClose();
            }
        };
    }
}
