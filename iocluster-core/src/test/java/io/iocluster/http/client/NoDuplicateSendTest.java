package io.iocluster.http.client;

import static io.iocluster.http.client.TestExecutor.get;
import static io.iocluster.http.client.TestExecutor.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.client.server.ScriptedHttp2Connection;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.testkit.target.ScriptedServer.Script;
import io.netty.channel.SingleThreadEventLoop;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
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

    private static final byte[] PING = {0, 0, 8, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

    /** What a target may send on an idle connection, after which it processes no request. */
    private enum IdleEnd {
        FIN("", connection -> connection.finish()),
        RST("", connection -> connection.reset()),
        ANSWER_TO_NO_REQUEST("", connection -> connection.send("HTTP/1.1 408 Timeout\nContent-Length: 0\n\n")),
        CLOSE_NOTIFY("http/1.1", connection -> connection.closeNotify()),
        FIN_WITHOUT_CLOSE_NOTIFY("http/1.1", connection -> connection.finish()),
        ANSWER_TO_NO_REQUEST_OVER_TLS("http/1.1", ANSWER_TO_NO_REQUEST.bytes),
        HTTP2_FIN("h2", connection -> connection.finish()),
        HTTP2_CLOSE_NOTIFY("h2", connection -> connection.closeNotify()),
        HTTP2_GOAWAY(
                "h2",
                connection -> connection.sendBytes(new byte[] {0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0})),
        HTTP2_PING_AND_GOAWAY("h2", connection -> {
            connection.sendBytes(PING);
            HTTP2_GOAWAY.bytes.play(connection);
        });

        /** Empty without TLS. */
        private final String protocol;

        private final Script bytes;

        IdleEnd(String protocol, Script bytes) {
            this.protocol = protocol;
            this.bytes = bytes;
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsAPostOnANewConnectionIfTheIdleOneEndsAfterTheLastRead(IdleEnd end) {
        assertThat(connectionsIfTheTargetSends(end.protocol, end.bytes)).isEqualTo(2);
    }

    @Test
    void sendsAPostOnTheIdleHttp2ConnectionIfTheTargetSendsAPingAfterTheLastRead() {
        assertThat(connectionsIfTheTargetSends("h2", connection -> connection.sendBytes(PING)))
                .isEqualTo(1);
    }

    /**
     * Makes a GET and a POST. A long task of the event loop, during which the script is played, separates the read that shows that the
     * connection is open from the write of the POST. Returns the number of connections.
     */
    private int connectionsIfTheTargetSends(String protocol, Script script) {
        CountDownLatch sending = latch();
        AtomicInteger requests = new AtomicInteger();
        ScriptedServer server = server(protocol, requests, connection -> {
            sending.await();
            script.play(connection);
        });
        String scheme = protocol.isEmpty() ? "http" : "https";
        TargetUrl url = new TargetUrl(scheme, "127.0.0.1", server.port(), "/");
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));
        executor.response(new HttpRequest("GET", url, List.of(), null));
        executor.awaitEndOfTurn();

        HttpResult result = executor.onLoop(() -> {
                    SingleThreadEventLoop loop =
                            (SingleThreadEventLoop) executor.loop().next();
                    loop.executeAfterEventLoopIteration(() -> loop.execute(() -> {
                        sending.countDown();
                        await().until(() -> TcpSockets.haveUnread(server.port()) || !TcpSockets.areOpen(server.port()));
                    }));
                    return executor.executor()
                            .execute(
                                    new HttpRequest("POST", url, List.of(), new byte[4]),
                                    TestExecutor.LONG_TIMEOUT,
                                    TestExecutor.UNLIMITED);
                })
                .toCompletableFuture()
                .join();

        assertThat(result).isInstanceOf(HttpResult.Response.class);
        assertThat(requests).hasValue(2);
        return server.connections();
    }

    /** Returns a target that counts and answers requests, and plays the script after the first one. */
    private ScriptedServer server(String protocol, AtomicInteger requests, Script afterFirst) {
        Script http1 = connection -> {
            while (connection.read() != null) {
                boolean first = requests.incrementAndGet() == 1;
                connection.send(OK);
                if (first) {
                    afterFirst.play(connection);
                }
            }
        };
        Script http2 = connection -> {
            connection.protocol();
            new ScriptedHttp2Connection(connection, Map.of()).serve(new ScriptedHttp2Connection.Listener() {
                @Override
                public void onComplete(ScriptedHttp2Connection.Stream stream) throws IOException, InterruptedException {
                    boolean first = requests.incrementAndGet() == 1;
                    stream.headers(true, ":status", "200");
                    if (first) {
                        afterFirst.play(connection);
                    }
                }
            });
        };
        return protocol.isEmpty()
                ? server(http1)
                : open(new ScriptedServer(
                        AUTHORITY.context(), List.of(protocol), protocol.equals("h2") ? http2 : http1));
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
