package io.iocluster.http.ahc;

import static io.iocluster.http.ahc.TestExecutor.get;
import static io.iocluster.http.ahc.TestExecutor.request;
import static io.iocluster.http.ahc.TestExecutor.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.target.ScriptedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how connections are reused, counted and closed. */
@Timeout(60)
class ConnectionsTest extends ExecutorFixture {

    @Test
    void reusesTheConnectionForTheNextCall() {
        ScriptedServer server = server(respondingWith(OK));
        TestExecutor executor = executor();
        for (int i = 0; i < 5; i++) {
            assertThat(text(executor.response(get(server.port(), "/")))).isEqualTo("ok");
        }
        assertThat(server.connections()).isEqualTo(1);
        assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 1, 1));
    }

    @Test
    void closesTheConnectionAfterEachCallWithoutKeepAlive() {
        ScriptedServer server = server(respondingWith(OK));
        HttpSettings defaults = HttpSettings.DEFAULTS;
        TestExecutor executor = executor(
                RecordCopy.with(defaults, "idleTimeout", Duration.ZERO, "connectionsPerDestination", 0, "http2", true));
        executor.response(get(server.port(), "/"));
        executor.response(get(server.port(), "/"));
        assertThat(server.connections()).isEqualTo(2);
        assertThat(server.requests()).allMatch(request -> request.contains("connection: close\r\n"));
    }

    @Test
    void countsItsConnections() {
        CountDownLatch proceed = latch();
        ScriptedServer server = server(connection -> {
            while (connection.read() != null) {
                proceed.await();
                connection.send(OK);
            }
        });
        TestExecutor executor = executor();
        List<CompletableFuture<HttpResult>> calls = Stream.generate(() -> executor.call(get(server.port(), "/")))
                .limit(3)
                .toList();
        await().untilAsserted(() -> assertThat(server.requests()).hasSize(3));
        assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(3, 0, 0));
        proceed.countDown();
        calls.forEach(CompletableFuture::join);
        assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 3, 1));
        server.close();
        await().untilAsserted(() ->
                assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 0, 0)));
    }

    @Test
    void failsAtOnceAtTheConnectionLimit() {
        CountDownLatch proceed = latch();
        ScriptedServer server = server(connection -> {
            connection.read();
            proceed.await();
            connection.send(OK);
            connection.awaitClose();
        });
        TestExecutor executor = executor(settings(1, DataSize.ofMebibytes(1), Duration.ofSeconds(3)));
        CompletableFuture<HttpResult> first = executor.call(get(server.port(), "/"));
        await().untilAsserted(() -> assertThat(server.requests()).hasSize(1));
        HttpResult.Failure failure = executor.failure(get(server.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.CONNECT_FAILED);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        proceed.countDown();
        assertThat(first.join()).isInstanceOf(HttpResult.Response.class);
    }

    @Test
    void closesAConnectionThatSendsAResponseWithoutARequest() {
        CountDownLatch sendSecond = latch();
        CountDownLatch closed = latch();
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send(OK);
            if (connection.number() == 1) {
                sendSecond.await();
                connection.send("HTTP/1.1 200 OK\nContent-Length: 100\n\nstolen");
                connection.awaitClose();
                closed.countDown();
            } else {
                connection.awaitClose();
            }
        });
        TestExecutor executor = executor();
        executor.response(get(server.port(), "/"));
        sendSecond.countDown();
        await().until(() -> closed.getCount() == 0);
        assertThat(text(executor.response(get(server.port(), "/")))).isEqualTo("ok");
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void reportsARefusedConnection() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        HttpResult.Failure failure = executor().failure(get(port, "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.CONNECT_REFUSED);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
    }
}
