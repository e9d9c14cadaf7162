package io.iocluster.http;

import static io.iocluster.http.TestExecutor.get;
import static io.iocluster.http.TestExecutor.post;
import static io.iocluster.http.TestExecutor.request;
import static io.iocluster.http.TestExecutor.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.http.ScriptedServer.Connection;
import io.iocluster.http.ScriptedServer.Script;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.Sent;
import io.iocluster.settings.DataSize;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class AsyncHttpExecutorTest {

    private static final String OK = "HTTP/1.1 200 OK\nContent-Length: 2\n\nok";

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    @Test
    void makesTheCallAsItIsWritten() {
        ScriptedServer server = server(answering(OK));
        HttpResult.Response answer = executor()
                .answer(request(
                        "POST",
                        server.port(),
                        "/a/../b;c?d=e%20f&[g]",
                        "body",
                        new Header("X-Tag", "a"),
                        new Header("x-tag", "b"),
                        new Header("X-Latin", "é")));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(text(answer)).isEqualTo("ok");
        assertThat(answer.truncated()).isFalse();
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
    void leavesTheUserAgentToTheSender() {
        ScriptedServer server = server(answering(OK));
        executor().answer(request("GET", server.port(), "/", null, new Header("User-Agent", "mine")));
        assertThat(server.requests().get(0)).contains("User-Agent: mine\r\n").doesNotContain("IOCluster");
    }

    @Test
    void keepsTheConnectionForTheNextCall() {
        ScriptedServer server = server(answering(OK));
        TestExecutor executor = executor();
        for (int i = 0; i < 5; i++) {
            assertThat(text(executor.answer(get(server.port(), "/")))).isEqualTo("ok");
        }
        assertThat(server.connections()).isEqualTo(1);
        assertThat(executor.executor().connections()).isEqualTo(new HttpExecutor.Connections(0, 1));
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
        assertThat(executor.executor().connections()).isEqualTo(new HttpExecutor.Connections(3, 0));
        goOn.countDown();
        calls.forEach(CompletableFuture::join);
        assertThat(executor.executor().connections()).isEqualTo(new HttpExecutor.Connections(0, 3));
        server.close();
        await().untilAsserted(() ->
                assertThat(executor.executor().connections()).isEqualTo(new HttpExecutor.Connections(0, 0)));
    }

    @Test
    void answersWithLowerCaseNamesAndWithoutWhatBelongsToTheConnection() {
        ScriptedServer server = server(answering("""
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
        HttpResult.Response answer = executor().answer(get(server.port(), "/"));
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.headers()).containsExactly(new Header("x-a", "1"), new Header("x-a", "3"));
        assertThat(text(answer)).isEqualTo("ok");
    }

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

    // Trap 1.
    @ParameterizedTest
    @ValueSource(ints = {100, 102, 103, 199})
    void waitsForTheAnswerBehindAnInterimOneAndKeepsTheNextCallWhole(int interim) {
        ScriptedServer server = server(connection -> {
            for (int i = 1; connection.read() != null; i++) {
                connection.say("HTTP/1.1 " + interim + " Wait\nLink: x\n\nHTTP/1.1 200 OK\nContent-Length: 1\n\n" + i);
            }
        });
        TestExecutor executor = executor();
        for (int i = 1; i <= 3; i++) {
            HttpResult.Response answer = executor.answer(post(server.port(), "/", "body"));
            assertThat(answer.status()).isEqualTo(200);
            assertThat(text(answer)).isEqualTo("" + i);
            assertThat(answer.headers()).containsExactly(new Header("content-length", "1"));
        }
        assertThat(server.connections()).isEqualTo(1);
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void endsAFloodOfInterimAnswers() {
        ScriptedServer server = server(connection -> {
            connection.read();
            while (true) {
                connection.say("HTTP/1.1 102 Processing\n\n");
            }
        });
        HttpResult.Failure failure = executor().failure(get(server.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        assertThat(failure.sent()).isEqualTo(Sent.MAYBE);
    }

    @Test
    void refusesToSwitchProtocols() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.say("HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\nConnection: upgrade\n\nxx");
            connection.untilClosed();
        });
        assertThat(executor().failure(get(server.port(), "/")).code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
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

    // Trap 2.
    @Test
    void neverConnectsThroughATunnel() {
        ScriptedServer server = server(answering(OK));
        HttpResult.Failure failure = executor().failure(request("CONNECT", server.port(), "/", null));
        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_METHOD);
        assertThat(failure.sent()).isEqualTo(Sent.NO);
        assertThat(server.connections()).isZero();
    }

    // Trap 3.
    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\n", "HTTP/1.1 200 OK\nContent-Length: 10\n\nhalf"})
    void sendsAPostOnceThoughTheConnectionEndsAmidTheAnswer(String part) {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.say(part);
        });
        HttpResult.Failure failure = executor().failure(post(server.port(), "/", "body"));
        assertThat(failure.code()).isEqualTo(ErrorCode.CONNECTION_CLOSED);
        assertThat(failure.sent()).isEqualTo(Sent.MAYBE);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void sendsAGetOnceIfANewConnectionEnds() {
        ScriptedServer server = server(Connection::read);
        assertThat(executor().failure(get(server.port(), "/")).code()).isEqualTo(ErrorCode.CONNECTION_CLOSED);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void sendsAGetAgainIfTheKeptConnectionHadBeenClosed() {
        ScriptedServer server = server(closingOnItsSecondRequest(3, false));
        TestExecutor executor = executor();
        warmUp(executor, server, 3);
        assertThat(text(executor.answer(get(server.port(), "/")))).isEqualTo("ok");
        assertThat(server.connections()).isEqualTo(4);
        assertThat(server.requests()).hasSize(5);
    }

    @Test
    void sendsAGetAgainIfTheKeptConnectionIsReset() {
        ScriptedServer server = server(closingOnItsSecondRequest(1, true));
        TestExecutor executor = executor();
        warmUp(executor, server, 1);
        assertThat(text(executor.answer(get(server.port(), "/")))).isEqualTo("ok");
    }

    @Test
    void sendsAGetNoThirdTime() {
        ScriptedServer server = server(connection -> {
            connection.read();
            if (connection.number() == 1) {
                connection.say(OK);
                connection.read();
            }
        });
        TestExecutor executor = executor();
        warmUp(executor, server, 1);
        assertThat(executor.failure(get(server.port(), "/")).code()).isEqualTo(ErrorCode.CONNECTION_CLOSED);
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void sendsAPostNotAgainIfTheKeptConnectionHadBeenClosed() {
        ScriptedServer server = server(closingOnItsSecondRequest(1, false));
        TestExecutor executor = executor();
        warmUp(executor, server, 1);
        HttpResult.Failure failure = executor.failure(post(server.port(), "/", "body"));
        assertThat(failure.code()).isEqualTo(ErrorCode.CONNECTION_CLOSED);
        assertThat(failure.sent()).isEqualTo(Sent.MAYBE);
        assertThat(server.requests()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\n", "HTTP/1.1 200 OK\nContent-Length: 10\n\nhalf"})
    void sendsAGetNotAgainIfPartOfTheAnswerCame(String part) {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.say(OK);
            connection.read();
            connection.say(part);
        });
        TestExecutor executor = executor();
        warmUp(executor, server, 1);
        assertThat(executor.failure(get(server.port(), "/")).code()).isEqualTo(ErrorCode.CONNECTION_CLOSED);
        assertThat(server.requests()).hasSize(2);
    }

    // Trap 5, and 11 with it.
    @Test
    void hasNoMemoryForCookiesAndFollowsNoRedirect() {
        ScriptedServer other = server(answering(OK));
        ScriptedServer server = server(answering("HTTP/1.1 302 Found\nLocation: http://127.0.0.1:" + other.port()
                + "/\nSet-Cookie: a=b; Path=/\nContent-Length: 0\n\n"));
        TestExecutor executor = executor();
        HttpResult.Response answer = executor.answer(get(server.port(), "/"));
        executor.answer(get(server.port(), "/"));
        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.headers()).contains(new Header("set-cookie", "a=b; Path=/"));
        assertThat(server.requests()).hasSize(2).noneMatch(request -> request.contains("a=b"));
        assertThat(other.connections()).isZero();
    }

    @Test
    void answersARequestForCredentialsAsItIs() {
        ScriptedServer server = server(
                answering("HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Basic realm=\"x\"\nContent-Length: 0\n\n"));
        assertThat(executor().answer(get(server.port(), "/")).status()).isEqualTo(401);
        assertThat(server.requests()).hasSize(1);
    }

    // Trap 6.
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
        assertThat(failure.sent()).isEqualTo(Sent.NO);
        goOn.countDown();
        assertThat(first.join()).isInstanceOf(HttpResult.Response.class);
    }

    // Trap 9.
    @Test
    void endsAnAttemptWhenItsTimeIsUpAndClosesItsConnection() {
        CountDownLatch closed = latch();
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.untilClosed();
            closed.countDown();
        });
        TestExecutor executor = executor();
        long start = System.nanoTime();
        HttpResult.Failure failure = TestExecutor.failure(
                executor.call(get(server.port(), "/"), Duration.ofMillis(300), TestExecutor.UNLIMITED)
                        .join());
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(290), Duration.ofMillis(700));
        assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(failure.sent()).isEqualTo(Sent.MAYBE);
        await().until(() -> closed.getCount() == 0);
        await().untilAsserted(() ->
                assertThat(executor.executor().connections()).isEqualTo(new HttpExecutor.Connections(0, 0)));
    }

    @Test
    void isNotFooledByATargetThatDripsItsAnswer() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.say("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n");
            while (true) {
                connection.say("1\nx\n");
                TimeUnit.MILLISECONDS.sleep(20);
            }
        });
        HttpResult.Failure failure = TestExecutor.failure(executor()
                .call(get(server.port(), "/"), Duration.ofMillis(300), TestExecutor.UNLIMITED)
                .join());
        assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
    }

    @Test
    void saysWhenThereWasNoConnectionInTime() throws IOException {
        try (BlackHole hole = new BlackHole()) {
            HttpResult.Failure failure = TestExecutor.failure(executor()
                    .call(get(hole.port(), "/"), Duration.ofMillis(200), TestExecutor.UNLIMITED)
                    .join());
            assertThat(failure.code()).isEqualTo(ErrorCode.CONNECT_TIMEOUT);
            assertThat(failure.sent()).isEqualTo(Sent.NO);
            TestExecutor hasty = executor(settings(0, DataSize.ofMebibytes(1), Duration.ofMillis(200)));
            failure = hasty.failure(get(hole.port(), "/"));
            assertThat(failure.code()).isEqualTo(ErrorCode.CONNECT_TIMEOUT);
            assertThat(failure.sent()).isEqualTo(Sent.NO);
        }
    }

    @Test
    void saysWhenTheTargetRefused() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        HttpResult.Failure failure = executor().failure(get(port, "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.CONNECT_REFUSED);
        assertThat(failure.sent()).isEqualTo(Sent.NO);
    }

    // Trap 10.
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
                assertThat(executor.executor().connections()).isEqualTo(new HttpExecutor.Connections(0, 0)));
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
        assertThat(failure.sent()).isEqualTo(Sent.MAYBE);
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

    // Trap 16.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\n\n",
                "HTTP/1.1 abc OK\n\n",
                "HTTP/1.1 200 OK\nContent-Length: -5\n\n",
                "HTTP/1.1 200 OK\nContent-Length: 5, 6\n\nhello",
                "HTTP/1.1 200 OK\nContent-Length: 5\nContent-Length: 6\n\nhello!",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nzz\n",
                "HTTP/1.1 200 OK\nContent-Length: 5\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n"
            })
    void takesNonsenseForABrokenAnswer(String nonsense) {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.say(nonsense);
            connection.untilClosed();
        });
        TestExecutor executor = executor();
        HttpResult.Failure failure = executor.failure(get(server.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        await().untilAsserted(() ->
                assertThat(executor.executor().connections()).isEqualTo(new HttpExecutor.Connections(0, 0)));
    }

    @Test
    void endsEndlessHeaders() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.say("HTTP/1.1 200 OK\n");
            while (true) {
                connection.say("X-More: and more\n");
            }
        });
        assertThat(executor().failure(get(server.port(), "/")).code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
    }

    @Test
    void endsWhatIsUnderWayWhenItIsClosed() {
        ScriptedServer server = server(Connection::untilClosed);
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
        assertThat(failure.sent()).isEqualTo(Sent.NO);
        assertThat(executor.loop().isShuttingDown())
                .as("the loop is its owner's")
                .isFalse();
    }

    @Test
    void isUsedOnItsLoopOnly() {
        TestExecutor executor = executor();
        assertThatThrownBy(
                        () -> executor.executor().execute(get(1, "/"), Duration.ofSeconds(1), TestExecutor.UNLIMITED))
                .isInstanceOf(IllegalStateException.class);
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
                defaults.maxResponseBody(),
                defaults.maxRequestBody(),
                Duration.ZERO,
                0,
                true));
        executor.answer(get(server.port(), "/"));
        executor.answer(get(server.port(), "/"));
        assertThat(server.connections()).isEqualTo(2);
        assertThat(server.requests()).allMatch(request -> request.contains("connection: close\r\n"));
    }

    @Test
    void tellsWhereTheTimeWent() {
        ScriptedServer server = server(connection -> {
            connection.read();
            TimeUnit.MILLISECONDS.sleep(100);
            connection.say(OK);
        });
        HttpResult.AttemptTiming timing =
                executor().answer(get(server.port(), "/")).timing();
        assertThat(timing.firstByteMs()).isBetween(99L, 1_000L);
        assertThat(timing.tlsMs()).isZero();
    }

    private void warmUp(TestExecutor executor, ScriptedServer server, int connections) {
        List<CompletableFuture<HttpResult>> calls = Stream.generate(() -> executor.call(get(server.port(), "/")))
                .limit(connections)
                .toList();
        calls.forEach(call -> assertThat(call.join()).isInstanceOf(HttpResult.Response.class));
        assertThat(server.connections()).isEqualTo(connections);
    }

    /** The first connections answer together, once; each closes without a word when it is used again. */
    private Script closingOnItsSecondRequest(int first, boolean reset) {
        CountDownLatch together = new CountDownLatch(first);
        return connection -> {
            connection.read();
            together.countDown();
            together.await();
            connection.say(OK);
            if (connection.number() <= first) {
                connection.read();
                if (reset) {
                    connection.reset();
                }
            } else {
                connection.untilClosed();
            }
        };
    }

    private static Script answering(String answer) {
        return connection -> {
            while (connection.read() != null) {
                connection.say(answer);
            }
        };
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

    private static HttpSettings settings(int perDestination, DataSize maxResponseBody, Duration connectTimeout) {
        HttpSettings defaults = HttpSettings.DEFAULTS;
        return new HttpSettings(
                connectTimeout,
                defaults.timeout(),
                defaults.deadline(),
                defaults.maxDeadline(),
                maxResponseBody,
                defaults.maxRequestBody(),
                defaults.keepAlive(),
                perDestination,
                true);
    }

    private ScriptedServer server(Script script) {
        ScriptedServer server = new ScriptedServer(script);
        opened.add(server);
        return server;
    }

    private TestExecutor executor() {
        return executor(HttpSettings.DEFAULTS);
    }

    private TestExecutor executor(HttpSettings settings) {
        TestExecutor executor = new TestExecutor(settings);
        opened.add(executor);
        return executor;
    }

    /** A latch that lets go when the test ends, however it ends. */
    private CountDownLatch latch() {
        CountDownLatch latch = new CountDownLatch(1);
        opened.add(latch::countDown);
        return latch;
    }
}
