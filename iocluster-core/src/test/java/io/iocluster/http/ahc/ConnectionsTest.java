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

/** How connections to a target are kept, counted and closed. */
@Timeout(60)
class ConnectionsTest extends ExecutorFixture {

    @Test
    void keepsTheConnectionForTheNextCall() {
        ScriptedServer server = server(answering(OK));
        TestExecutor executor = executor();
        for (int i = 0; i < 5; i++) {
            assertThat(text(executor.answer(get(server.port(), "/")))).isEqualTo("ok");
        }
        assertThat(server.connections()).isEqualTo(1);
        assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 1));
    }

    @Test
    void opensNoConnectionIfNoneIsToBeKept() {
        ScriptedServer server = server(answering(OK));
        HttpSettings defaults = HttpSettings.DEFAULTS;
        TestExecutor executor = executor(new HttpSettings(
                defaults.connectTimeout(),
                defaults.timeout(),
                defaults.deadline(),
                defaults.maxDeadline(),
                defaults.maxTimeout(),
                defaults.maxResponseBody(),
                defaults.whenBodyTooLarge(),
                defaults.maxResponseHeaders(),
                defaults.maxResponseHeaderCount(),
                defaults.maxRequestBody(),
                Duration.ZERO,
                0,
                defaults.concurrentConnects(),
                true,
                defaults.dns()));
        executor.answer(get(server.port(), "/"));
        executor.answer(get(server.port(), "/"));
        assertThat(server.connections()).isEqualTo(2);
        assertThat(server.requests()).allMatch(request -> request.contains("connection: close\r\n"));
    }

    @Test
    void countsItsConnections() {
        CountDownLatch goOn = latch();
        ScriptedServer server = server(connection -> {
            while (connection.read() != null) {
                goOn.await();
                connection.say(OK);
            }
        });
        TestExecutor executor = executor();
        List<CompletableFuture<HttpResult>> calls = Stream.generate(() -> executor.call(get(server.port(), "/")))
                .limit(3)
                .toList();
        await().untilAsserted(() -> assertThat(server.requests()).hasSize(3));
        assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(3, 0));
        goOn.countDown();
        calls.forEach(CompletableFuture::join);
        assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 3));
        server.close();
        await().untilAsserted(() ->
                assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 0)));
    }

    @Test
    void failsAtOnceIfThereAreNoMoreConnections() {
        CountDownLatch goOn = latch();
        ScriptedServer server = server(connection -> {
            connection.read();
            goOn.await();
            connection.say(OK);
            connection.untilClosed();
        });
        TestExecutor executor = executor(settings(1, DataSize.ofMebibytes(1), Duration.ofSeconds(3)));
        CompletableFuture<HttpResult> first = executor.call(get(server.port(), "/"));
        await().untilAsserted(() -> assertThat(server.requests()).hasSize(1));
        HttpResult.Failure failure = executor.failure(get(server.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.CONNECT_FAILED);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        goOn.countDown();
        assertThat(first.join()).isInstanceOf(HttpResult.Response.class);
    }

    @Test
    void closesAConnectionThatSpeaksUnasked() {
        CountDownLatch speak = latch();
        CountDownLatch closed = latch();
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.say(OK);
            if (connection.number() == 1) {
                speak.await();
                connection.say("HTTP/1.1 200 OK\nContent-Length: 100\n\nstolen");
                connection.untilClosed();
                closed.countDown();
            } else {
                connection.untilClosed();
            }
        });
        TestExecutor executor = executor();
        executor.answer(get(server.port(), "/"));
        speak.countDown();
        await().until(() -> closed.getCount() == 0);
        assertThat(text(executor.answer(get(server.port(), "/")))).isEqualTo("ok");
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void saysWhenTheTargetRefused() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        HttpResult.Failure failure = executor().failure(get(port, "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.CONNECT_REFUSED);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
    }
}
