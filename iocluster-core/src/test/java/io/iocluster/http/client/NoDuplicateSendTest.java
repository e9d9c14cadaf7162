package io.iocluster.http.client;

import static io.iocluster.http.client.TestExecutor.get;
import static io.iocluster.http.client.TestExecutor.post;
import static io.iocluster.http.client.TestExecutor.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.http.HttpResult;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.testkit.target.ScriptedServer.Script;
import io.netty.channel.SingleThreadEventLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

    /** A long task of the event loop separates the read that shows that the connection is open from the write of the POST. */
    @Test
    void sendsAPostOnANewConnectionIfTheIdleOneEndsAfterTheLastRead() {
        CountDownLatch ending = latch();
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send(OK);
            if (connection.number() == 1) {
                ending.await();
            }
        });
        TestExecutor executor = executor();
        warmUp(executor, server, 1);
        executor.awaitEndOfTurn();

        HttpResult result = executor.onLoop(() -> {
                    SingleThreadEventLoop loop =
                            (SingleThreadEventLoop) executor.loop().next();
                    loop.executeAfterEventLoopIteration(() -> loop.execute(() -> {
                        ending.countDown();
                        await().until(() -> isEndedByTarget(server.port()));
                    }));
                    return executor.executor()
                            .execute(
                                    post(server.port(), "/", "body"),
                                    TestExecutor.LONG_TIMEOUT,
                                    TestExecutor.UNLIMITED);
                })
                .toCompletableFuture()
                .join();

        assertThat(result).isInstanceOf(HttpResult.Response.class);
        assertThat(server.connections()).isEqualTo(2);
        assertThat(server.requests()).hasSize(2);
    }

    /** Returns whether this machine has a TCP connection to the port that only the other side has ended. */
    private static boolean isEndedByTarget(int port) throws IOException {
        String closeWait = String.format(":%04X 08 ", port);
        // An IPv6 socket may carry an IPv4 connection.
        return Files.readString(Path.of("/proc/self/net/tcp")).contains(closeWait)
                || Files.readString(Path.of("/proc/self/net/tcp6")).contains(closeWait);
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
