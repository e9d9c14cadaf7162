package io.iocluster.http.ahc;

import static io.iocluster.http.ahc.TestExecutor.get;
import static io.iocluster.http.ahc.TestExecutor.request;
import static io.iocluster.http.ahc.TestExecutor.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.http.BodyTooLargePolicy;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ahc.ScriptedServer.Script;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.iocluster.settings.DataSize;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How much of an answer's body is kept, and in which form. */
@Timeout(60)
class ResponseBodyTest extends ExecutorFixture {

    @Test
    void takesNoBodyFromAnAnswerThatHasNone() {
        ScriptedServer server = server(connection -> {
            for (String request = connection.read(); request != null; request = connection.read()) {
                connection.say(
                        request.startsWith("HEAD")
                                ? "HTTP/1.1 200 OK\nContent-Length: 1000\n\n"
                                : "HTTP/1.1 204 No Content\n\n");
            }
        });
        TestExecutor executor = executor();
        assertThat(executor.answer(request("HEAD", server.port(), "/", null)).body())
                .isEmpty();
        assertThat(executor.answer(get(server.port(), "/")).body()).isEmpty();
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void cutsALongBodyOffAndClosesTheConnection() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.say("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n");
            while (true) {
                connection.say("400\n" + "x".repeat(1024) + "\n");
            }
        });
        TestExecutor executor = executor(settings(0, new DataSize(100_000), Duration.ofSeconds(3)));
        HttpResult.Response answer = executor.answer(get(server.port(), "/"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.truncated()).isTrue();
        assertThat(answer.body()).hasSize(100_000).containsOnly((byte) 'x');
        await().untilAsserted(() ->
                assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 0)));
    }

    @Test
    void keepsABodyOfExactlyTheLimitWhole() {
        ScriptedServer server = server(answering("HTTP/1.1 200 OK\nContent-Length: 10\n\n0123456789"));
        HttpResult.Response answer =
                executor(settings(0, new DataSize(10), Duration.ofSeconds(3))).answer(get(server.port(), "/"));
        assertThat(answer.truncated()).isFalse();
        assertThat(text(answer)).isEqualTo("0123456789");
        answer = executor(settings(0, new DataSize(9), Duration.ofSeconds(3))).answer(get(server.port(), "/"));
        assertThat(answer.truncated()).isTrue();
        assertThat(text(answer)).isEqualTo("012345678");
    }

    @Test
    void failsForALongBodyWhereThatIsWanted() {
        ScriptedServer server = server(answering("HTTP/1.1 200 OK\nContent-Length: 10\n\n0123456789"));
        HttpSettings nine = settings(0, new DataSize(9), BodyTooLargePolicy.FAIL, Duration.ofSeconds(3));
        HttpResult.Failure failure = executor(nine).failure(get(server.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.RESPONSE_TOO_LARGE);
        assertThat(failure.sent()).isEqualTo(SentStatus.MAYBE);
        HttpSettings ten = settings(0, new DataSize(10), BodyTooLargePolicy.FAIL, Duration.ofSeconds(3));
        assertThat(text(executor(ten).answer(get(server.port(), "/")))).isEqualTo("0123456789");
    }

    @Test
    void undoesCompression() throws IOException {
        byte[] zipped = gzip("text ".repeat(1_000).getBytes(StandardCharsets.ISO_8859_1));
        ScriptedServer server = server(zippedAnswers(zipped));
        TestExecutor executor = executor();
        for (int i = 0; i < 2; i++) {
            HttpResult.Response answer =
                    executor.answer(request("GET", server.port(), "/", null, new Header("Accept-Encoding", "gzip")));
            assertThat(text(answer)).isEqualTo("text ".repeat(1_000));
            assertThat(answer.headers()).extracting(Header::name).doesNotContain("content-encoding");
        }
        assertThat(server.connections()).isEqualTo(1);
        assertThat(server.requests().get(0)).containsIgnoringCase("Accept-Encoding: gzip\r\n");
    }

    @Test
    void countsABodyAfterDecompression() throws IOException {
        byte[] bomb = gzip(new byte[200 << 20]);
        assertThat(bomb).hasSizeLessThan(300_000);
        ScriptedServer server = server(zippedAnswers(bomb));
        AtomicInteger taken = new AtomicInteger();
        HttpResult result = executor()
                .call(get(server.port(), "/"), Duration.ofSeconds(10), bytes -> taken.addAndGet(bytes) > 0)
                .join();
        assertThat(result).isInstanceOfSatisfying(HttpResult.Response.class, answer -> {
            assertThat(answer.truncated()).isTrue();
            assertThat(answer.body()).hasSize(512 << 10);
        });
        assertThat(taken).hasValueLessThanOrEqualTo(512 << 10);
    }

    @Test
    void takesBrokenCompressionForABrokenAnswer() {
        ScriptedServer server = server(zippedAnswers("this is no gzip".getBytes(StandardCharsets.ISO_8859_1)));
        assertThat(executor().failure(get(server.port(), "/")).code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
    }

    @Test
    void failsIfTheBudgetHasNoRoom() {
        ScriptedServer server = server(answering("HTTP/1.1 200 OK\nContent-Length: 10\n\n0123456789"));
        TestExecutor executor = executor();
        HttpResult.Failure failure =
                TestExecutor.failure(executor.call(get(server.port(), "/"), Duration.ofSeconds(5), bytes -> false)
                        .join());
        assertThat(failure.code()).isEqualTo(ErrorCode.OUT_OF_MEMORY_BUDGET);
        assertThat(failure.sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(text(executor.answer(get(server.port(), "/")))).isEqualTo("0123456789");
    }

    @Test
    void believesNoLargeLength() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.say("HTTP/1.1 200 OK\nContent-Length: 1000000\n\nx");
        });
        AtomicInteger taken = new AtomicInteger();
        TestExecutor.failure(executor()
                .call(get(server.port(), "/"), Duration.ofSeconds(5), bytes -> taken.addAndGet(bytes) > 0)
                .join());
        assertThat(taken).hasValueLessThan(10);
    }

    private static Script zippedAnswers(byte[] zipped) {
        return connection -> {
            while (connection.read() != null) {
                connection.say("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: " + zipped.length + "\n\n");
                connection.sayBytes(zipped);
            }
        };
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(plain);
        }
        return bytes.toByteArray();
    }
}
