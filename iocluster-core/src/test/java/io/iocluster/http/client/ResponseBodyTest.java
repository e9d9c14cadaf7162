package io.iocluster.http.client;

import static io.iocluster.http.client.TestExecutor.get;
import static io.iocluster.http.client.TestExecutor.request;
import static io.iocluster.http.client.TestExecutor.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.http.BodyTooLargePolicy;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.testkit.target.ScriptedServer.Script;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how much of a response body is stored, and in which form. */
@Timeout(60)
class ResponseBodyTest extends ExecutorFixture {

    @Test
    void acceptsAResponseWithoutABody() {
        ScriptedServer server = server(connection -> {
            for (String request = connection.read(); request != null; request = connection.read()) {
                connection.send(
                        request.startsWith("HEAD")
                                ? "HTTP/1.1 200 OK\nContent-Length: 1000\n\n"
                                : "HTTP/1.1 204 No Content\n\n");
            }
        });
        TestExecutor executor = executor();
        assertThat(executor.response(request("HEAD", server.port(), "/", null)).body())
                .isEmpty();
        assertThat(executor.response(get(server.port(), "/")).body()).isEmpty();
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void truncatesALongBodyAndClosesTheConnection() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n");
            while (true) {
                connection.send("400\n" + "x".repeat(1024) + "\n");
            }
        });
        TestExecutor executor = executor(settings(0, new DataSize(100_000), Duration.ofSeconds(3)));
        HttpResult.Response response = executor.response(get(server.port(), "/"));
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.truncated()).isTrue();
        assertThat(response.body()).hasSize(100_000).containsOnly((byte) 'x');
        await().untilAsserted(() ->
                assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 0, 0)));
    }

    @Test
    void doesNotTruncateABodyOfExactlyTheLimit() {
        ScriptedServer server = server(respondingWith("HTTP/1.1 200 OK\nContent-Length: 10\n\n0123456789"));
        HttpResult.Response response =
                executor(settings(0, new DataSize(10), Duration.ofSeconds(3))).response(get(server.port(), "/"));
        assertThat(response.truncated()).isFalse();
        assertThat(text(response)).isEqualTo("0123456789");
        response = executor(settings(0, new DataSize(9), Duration.ofSeconds(3))).response(get(server.port(), "/"));
        assertThat(response.truncated()).isTrue();
        assertThat(text(response)).isEqualTo("012345678");
    }

    @Test
    void failsForALongBodyIfConfigured() {
        ScriptedServer server = server(respondingWith("HTTP/1.1 200 OK\nContent-Length: 10\n\n0123456789"));
        HttpSettings nine = settings(0, new DataSize(9), BodyTooLargePolicy.FAIL, Duration.ofSeconds(3));
        HttpResult.Failure failure = executor(nine).failure(get(server.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.RESPONSE_TOO_LARGE);
        assertThat(failure.sent()).isEqualTo(SentStatus.MAYBE);
        HttpSettings ten = settings(0, new DataSize(10), BodyTooLargePolicy.FAIL, Duration.ofSeconds(3));
        assertThat(text(executor(ten).response(get(server.port(), "/")))).isEqualTo("0123456789");
    }

    @Test
    void decompressesABody() throws IOException {
        byte[] compressed = gzip("text ".repeat(1_000).getBytes(StandardCharsets.ISO_8859_1));
        ScriptedServer server = server(gzipResponses(compressed));
        TestExecutor executor = executor();
        for (int i = 0; i < 2; i++) {
            HttpResult.Response response =
                    executor.response(request("GET", server.port(), "/", null, new Header("Accept-Encoding", "gzip")));
            assertThat(text(response)).isEqualTo("text ".repeat(1_000));
            assertThat(response.headers()).extracting(Header::name).doesNotContain("content-encoding");
        }
        assertThat(server.connections()).isEqualTo(1);
        assertThat(server.requests().get(0)).containsIgnoringCase("Accept-Encoding: gzip\r\n");
    }

    @Test
    void limitsABodyAfterDecompression() throws IOException {
        byte[] bomb = gzip(new byte[200 << 20]);
        assertThat(bomb).hasSizeLessThan(300_000);
        ScriptedServer server = server(gzipResponses(bomb));
        AtomicInteger reserved = new AtomicInteger();
        HttpResult result = executor()
                .call(get(server.port(), "/"), Duration.ofSeconds(10), bytes -> reserved.addAndGet(bytes) > 0)
                .join();
        assertThat(result).isInstanceOfSatisfying(HttpResult.Response.class, response -> {
            assertThat(response.truncated()).isTrue();
            assertThat(response.body()).hasSize(512 << 10);
        });
        assertThat(reserved).hasValueLessThanOrEqualTo(512 << 10);
    }

    @Test
    void failsForABodyThatIsNotCompressed() {
        ScriptedServer server = server(gzipResponses("this is not gzip".getBytes(StandardCharsets.ISO_8859_1)));
        assertThat(executor().failure(get(server.port(), "/")).code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
    }

    @Test
    void failsIfTheBudgetIsExhausted() {
        ScriptedServer server = server(respondingWith("HTTP/1.1 200 OK\nContent-Length: 10\n\n0123456789"));
        TestExecutor executor = executor();
        HttpResult.Failure failure =
                TestExecutor.failure(executor.call(get(server.port(), "/"), Duration.ofSeconds(5), bytes -> false)
                        .join());
        assertThat(failure.code()).isEqualTo(ErrorCode.OUT_OF_MEMORY_BUDGET);
        assertThat(failure.sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(text(executor.response(get(server.port(), "/")))).isEqualTo("0123456789");
    }

    @Test
    void doesNotAllocateALargeAnnouncedLength() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send("HTTP/1.1 200 OK\nContent-Length: 1000000\n\nx");
        });
        AtomicInteger reserved = new AtomicInteger();
        TestExecutor.failure(executor()
                .call(get(server.port(), "/"), Duration.ofSeconds(5), bytes -> reserved.addAndGet(bytes) > 0)
                .join());
        assertThat(reserved).hasValueLessThan(10);
    }

    private static Script gzipResponses(byte[] compressed) {
        return connection -> {
            while (connection.read() != null) {
                connection.send(
                        "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: " + compressed.length + "\n\n");
                connection.sendBytes(compressed);
            }
        };
    }
}
