package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpExecutor.ConnectionStats;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.client.server.Http2Target;
import io.iocluster.http.client.server.ScriptedHttp2Connection;
import io.iocluster.http.client.server.ScriptedHttp2Connection.Stream;
import io.iocluster.message.ErrorCode;
import io.iocluster.pipeline.ManualClock;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.testkit.target.ScriptedServer.ScriptedConnection;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what calls on one HTTP/2 connection do to each other, and how they follow the target's SETTINGS and GOAWAY. */
@Timeout(120)
class Http2SharedConnectionTest extends ExecutorFixture {

    @Test
    void timeoutsOfATenthOfTheCallsHarmNoOtherCall() {
        HoldingTarget target = new HoldingTarget(Map.of(ScriptedHttp2Connection.MAX_CONCURRENT_STREAMS, 100));
        TestExecutor executor = newExecutor();
        List<CompletableFuture<HttpResult>> shortCalls = new ArrayList<>();
        List<CompletableFuture<HttpResult>> longCalls = new ArrayList<>();
        assertAnswered(executor.call(post(target.port(), "/answer", 4)));

        for (int i = 0; i < 400; i++) {
            if (i % 10 == 0) {
                HttpRequest request = post(target.port(), "/short/" + i, 100);
                shortCalls.add(executor.call(request, Duration.ofMillis(500), TestExecutor.UNLIMITED));
            } else {
                longCalls.add(executor.call(post(target.port(), "/long/" + i, 100)));
            }
        }
        List<HttpResult.Failure> timeouts = shortCalls.stream()
                .map(call ->
                        TestExecutor.failure(call.orTimeout(1, TimeUnit.MINUTES).join()))
                .toList();
        target.release();

        assertThat(timeouts).allSatisfy(timeout -> assertThat(timeout.code()).isEqualTo(ErrorCode.TIMEOUT));
        assertThat(longCalls).allSatisfy(Http2SharedConnectionTest::assertAnswered);
        assertThat(target.paths("/long/")).hasSize(360).doesNotHaveDuplicates();
        List<String> shortPaths = target.paths("/short/");
        assertThat(shortPaths).doesNotHaveDuplicates();
        for (int i = 0; i < timeouts.size(); i++) {
            Certainty certainty = timeouts.get(i).certainty();
            assertThat(certainty).isIn(Certainty.NOT_SENT, Certainty.UNKNOWN);
            if (certainty == Certainty.NOT_SENT) {
                assertThat(shortPaths).doesNotContain("/short/" + 10 * i);
            }
        }
        assertThat(timeouts).extracting(HttpResult.Failure::certainty).contains(Certainty.NOT_SENT);
        assertThat(target.connections()).isEqualTo(1);
    }

    /** Netty's servers close a connection with all its calls after 200 resets in 30 seconds. */
    @Test
    void losesNoCallOfATargetThatLimitsResets() throws Exception {
        Http2Target target = open(new Http2Target(AUTHORITY.target()));
        TestExecutor executor = newExecutor();
        executor.response(post(target.port(), "/", 4));
        CompletableFuture<HttpResult> open =
                executor.call(post(target.port(), "/never", 4), Duration.ofMinutes(5), TestExecutor.UNLIMITED);

        for (int i = 0; i < 250; i++) {
            executor.onLoop(() -> executor.executor()
                    .execute(post(target.port(), "/never", 4), TestExecutor.LONG_TIMEOUT, TestExecutor.UNLIMITED)
                    .cancel(true));
            // The target has read the reset before it answers.
            executor.response(post(target.port(), "/", 4));
        }

        assertThat(open).isNotDone();
        assertThat(target.connections()).isGreaterThan(1);
    }

    @Test
    void noCallWaitsForTheConnectionThatReplacesOneWithManyResets() throws IOException {
        TestExecutor executor = newExecutor();
        assertNoCallWaitsForTheNextConnection(executor, target -> {
            for (int i = 0; i < 100; i++) {
                cancelCall(executor, target);
            }
        });
    }

    @Test
    void noCallWaitsForTheConnectionThatReplacesAnOldOne() throws IOException {
        ManualClock clock = new ManualClock();
        TestExecutor executor = open(new TestExecutor(TRUST, clock));
        assertNoCallWaitsForTheNextConnection(executor, target -> clock.advance(Duration.ofMinutes(5)));
    }

    /** @param ends makes the executor replace its connection */
    private void assertNoCallWaitsForTheNextConnection(TestExecutor executor, Consumer<HoldingTarget> ends)
            throws IOException {
        CountDownLatch secondMayOpen = latch();
        HoldingTarget target = new HoldingTarget(Map.of(), connection -> {
            if (connection.number() == 2) {
                secondMayOpen.await();
            }
        });
        assertAnswered(executor.call(post(target.port(), "/answer", 4)));
        CompletableFuture<HttpResult> open =
                executor.call(post(target.port(), "/open", 4), Duration.ofHours(1), TestExecutor.UNLIMITED);
        await().until(() -> target.paths("/open").size() == 1);

        ends.accept(target);
        await().until(() -> target.connections() == 2);
        assertAnswered(executor.call(post(target.port(), "/answer", 4)));
        assertThat(target.connectionOfLastCall()).isEqualTo(1);
        secondMayOpen.countDown();

        await().until(() -> {
            assertAnswered(executor.call(post(target.port(), "/answer", 4)));
            return target.connectionOfLastCall() == 2;
        });
        target.answerOldest();
        assertAnswered(open);
        await().untilAsserted(() ->
                assertThat(executor.executor().connectionStats()).isEqualTo(new ConnectionStats(0, 1, 1)));
        assertThat(target.connections()).isEqualTo(2);
    }

    @Test
    void opensTheNextConnectionAtOnceAfterAGoAwayOnOneInUse() throws IOException {
        HoldingTarget target = new HoldingTarget(Map.of());
        TestExecutor executor = newExecutor();
        CompletableFuture<HttpResult> open = executor.call(post(target.port(), "/open", 4));
        await().until(() -> target.paths("/open").size() == 1);

        target.last.goAway(ScriptedHttp2Connection.ANY_STREAM, Http2Error.NO_ERROR);

        await().until(() -> target.connections() == 2);
        target.answerOldest();
        assertAnswered(open);
    }

    /** The fourth connection is opened before the GOAWAY on the third. */
    @Test
    void opensTheNextConnectionBeforeTheLimitOfRequestsThatTwoConnectionsHad() {
        ScriptedServer target = limitedTo(20, new CopyOnWriteArrayList<>());
        TestExecutor executor = newExecutor();

        for (int i = 0; i < 58; i++) {
            assertAnswered(executor.call(post(target.port(), "/", 4)));
        }

        await().until(() -> target.connections() == 4);
    }

    @Test
    void anOldConnectionServesCallsUntilASuccessorOpens() {
        HoldingTarget target = new HoldingTarget(Map.of(), connection -> {
            if (connection.number() == 2) {
                throw new IOException("refused");
            }
        });
        ManualClock clock = new ManualClock();
        TestExecutor executor = open(new TestExecutor(TRUST, clock));
        assertAnswered(executor.call(post(target.port(), "/answer", 4)));
        executor.call(post(target.port(), "/open", 4), Duration.ofHours(1), TestExecutor.UNLIMITED);
        await().until(() -> target.paths("/open").size() == 1);

        clock.advance(Duration.ofMinutes(5));
        await().until(() -> target.connections() == 2);
        for (int i = 0; i < 20; i++) {
            assertAnswered(executor.call(post(target.port(), "/answer", 4)));
            assertThat(target.connectionOfLastCall()).isEqualTo(1);
        }

        clock.advance(Duration.ofSeconds(1));
        await().until(() -> {
            assertAnswered(executor.call(post(target.port(), "/answer", 4)));
            return target.connectionOfLastCall() == 3;
        });
    }

    @Test
    void aConnectionWithManyResetsDrainsIfItsSuccessorCannotOpen() {
        HoldingTarget target = new HoldingTarget(Map.of(), connection -> {
            if (connection.number() == 2) {
                throw new IOException("refused");
            }
        });
        TestExecutor executor = newExecutor();
        cancelManyCallsBesideAnOpenOne(executor, target);
        await().until(() -> target.connections() == 2);

        await().until(() -> {
            assertAnswered(executor.call(post(target.port(), "/answer", 4)));
            return target.connectionOfLastCall() == 3;
        });
    }

    @Test
    void aConnectionWithManyResetsDrainsIfItsSuccessorClosesBeforeItsSettings() {
        HoldingTarget target = new HoldingTarget(Map.of(), connection -> {
            if (connection.number() > 1) {
                connection.protocol();
                throw new IOException("closed after the handshake");
            }
        });
        TestExecutor executor = newExecutor();
        cancelManyCallsBesideAnOpenOne(executor, target);

        // Otherwise each call on the first connection would open another one.
        await().until(() -> executor.await(post(target.port(), "/answer", 4)) instanceof HttpResult.Failure);
    }

    private static void cancelManyCallsBesideAnOpenOne(TestExecutor executor, HoldingTarget target) {
        assertAnswered(executor.call(post(target.port(), "/answer", 4)));
        executor.call(post(target.port(), "/open", 4));
        await().until(() -> target.paths("/open").size() == 1);

        for (int i = 0; i < 100; i++) {
            cancelCall(executor, target);
        }
    }

    /** Starts and cancels a call in one task of the event loop. The connection must be in use, so that the call starts at once. */
    private static void cancelCall(TestExecutor executor, HoldingTarget target) {
        executor.onLoop(() -> executor.executor()
                .execute(post(target.port(), "/held", 4), TestExecutor.LONG_TIMEOUT, TestExecutor.UNLIMITED)
                .cancel(true));
    }

    /** nginx ends a connection in this way after {@code keepalive_requests}. */
    @ParameterizedTest
    @ValueSource(ints = {2, 20})
    void losesNoCallOfATargetThatEndsEachConnectionAfterAFewStreams(int streams) {
        List<String> processed = new CopyOnWriteArrayList<>();
        ScriptedServer target = limitedTo(streams, processed);
        TestExecutor executor = newExecutor();

        List<CompletableFuture<List<HttpResult>>> lanes = IntStream.range(0, 60)
                .mapToObj(lane -> callInTurn(executor, target.port(), "/lane" + lane, 5, new ArrayList<>()))
                .toList();

        for (CompletableFuture<List<HttpResult>> lane : lanes) {
            assertThat(lane.orTimeout(100, TimeUnit.SECONDS).join())
                    .hasSize(5)
                    .allSatisfy(result -> assertThat(result).isInstanceOf(HttpResult.Response.class));
        }
        assertThat(processed).hasSize(300).doesNotHaveDuplicates();
        assertThat(target.connections()).isGreaterThanOrEqualTo(300 / streams);
    }

    private ScriptedServer limitedTo(int streams, List<String> processed) {
        return open(new ScriptedServer(AUTHORITY.context(), List.of("h2"), connection -> {
            connection.protocol();
            new ScriptedHttp2Connection(connection, Map.of()).serve(new LimitedStreams(streams, processed));
        }));
    }

    /** The client's first stream has the number 3, so stream 1 was no request. */
    @Test
    void aTargetThatRefusesEachFirstRequestGetsItFourTimes() {
        ScriptedServer target = open(new ScriptedServer(AUTHORITY.context(), List.of("h2"), connection -> {
            connection.protocol();
            new ScriptedHttp2Connection(connection, Map.of()).serve(new ScriptedHttp2Connection.Listener() {
                @Override
                public void onHead(Stream stream) throws IOException {
                    stream.connection().goAway(1, Http2Error.NO_ERROR);
                }
            });
        }));

        HttpResult.Failure failure = newExecutor().failure(post(target.port(), "/", 4));

        assertThat(failure.code()).isEqualTo(ErrorCode.CONNECTION_CLOSED);
        assertThat(failure.certainty()).isEqualTo(Certainty.NOT_PROCESSED);
        assertThat(target.connections()).isEqualTo(4);
    }

    private static CompletableFuture<List<HttpResult>> callInTurn(
            TestExecutor executor, int port, String lane, int calls, List<HttpResult> results) {
        if (calls == 0) {
            return CompletableFuture.completedFuture(results);
        }
        return executor.call(post(port, lane + "/" + calls, 100)).thenCompose(result -> {
            results.add(result);
            return callInTurn(executor, port, lane, calls - 1, results);
        });
    }

    @Test
    void followsALowerLimitOfStreams() throws IOException {
        HoldingTarget target = new HoldingTarget(Map.of(ScriptedHttp2Connection.MAX_CONCURRENT_STREAMS, 10));
        TestExecutor executor = newExecutor();
        assertAnswered(executor.call(post(target.port(), "/answer", 4)));
        List<CompletableFuture<HttpResult>> calls = start(executor, target, "/first", 3);
        await().until(() -> target.paths("/first").size() == 3);

        target.changeSettings(Map.of(ScriptedHttp2Connection.MAX_CONCURRENT_STREAMS, 1));
        calls.addAll(start(executor, target, "/second", 3));
        assertThat(executor.onLoop(() -> target.paths("/second"))).isEmpty();
        for (int i = 1; i <= 3; i++) {
            target.answerOldest();
        }
        for (int i = 1; i <= 3; i++) {
            int received = i;
            await().until(() -> target.paths("/second").size() == received);
            assertThat(target.openStreams()).isEqualTo(1);
            target.answerOldest();
        }

        assertThat(calls).allSatisfy(Http2SharedConnectionTest::assertAnswered);
        assertThat(target.mostOpenWhenASecondArrived()).isEqualTo(1);
        assertThat(target.connections()).isEqualTo(1);
    }

    @Test
    void sendsWaitingCallsWhenTheLimitOfStreamsRises() throws IOException {
        HoldingTarget target = new HoldingTarget(Map.of(ScriptedHttp2Connection.MAX_CONCURRENT_STREAMS, 1));
        TestExecutor executor = newExecutor();
        assertAnswered(executor.call(post(target.port(), "/answer", 4)));
        List<CompletableFuture<HttpResult>> calls = start(executor, target, "/first", 3);
        await().until(() -> target.paths("/first").size() == 1);

        target.changeSettings(Map.of(ScriptedHttp2Connection.MAX_CONCURRENT_STREAMS, 3));

        await().until(() -> target.paths("/first").size() == 3);
        target.release();
        assertThat(calls).allSatisfy(Http2SharedConnectionTest::assertAnswered);
        assertThat(target.connections()).isEqualTo(1);
    }

    @ParameterizedTest(name = "setting {0} is {1}")
    @CsvSource({
        ScriptedHttp2Connection.HEADER_TABLE_SIZE + ", 0",
        ScriptedHttp2Connection.HEADER_TABLE_SIZE + ", 65536",
        ScriptedHttp2Connection.INITIAL_WINDOW_SIZE + ", 1000",
        ScriptedHttp2Connection.INITIAL_WINDOW_SIZE + ", 2147483647",
        ScriptedHttp2Connection.MAX_FRAME_SIZE + ", 16777215"
    })
    void followsSettingsThatChangeWhileCallsAreOpen(int setting, int value) throws IOException {
        HoldingTarget target = new HoldingTarget(Map.of());
        TestExecutor executor = newExecutor();
        assertAnswered(executor.call(post(target.port(), "/answer", 4)));
        List<CompletableFuture<HttpResult>> calls = start(executor, target, "/first", 3);
        await().until(() -> target.paths("/first").size() == 3);

        target.changeSettings(Map.of(setting, value));
        calls.add(executor.call(post(target.port(), "/answer", 100_000)));
        assertAnswered(calls.get(3));
        target.release();

        assertThat(calls).allSatisfy(Http2SharedConnectionTest::assertAnswered);
        assertAnswered(executor.call(post(target.port(), "/answer", 4)));
        assertThat(target.connections()).isEqualTo(1);
    }

    private static List<CompletableFuture<HttpResult>> start(
            TestExecutor executor, HoldingTarget target, String path, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> executor.call(post(target.port(), path + i, 100)))
                .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
    }

    private static void assertAnswered(CompletableFuture<HttpResult> call) {
        HttpResult result = call.orTimeout(1, TimeUnit.MINUTES).join();
        assertThat(result).isInstanceOf(HttpResult.Response.class);
        assertThat(TestExecutor.text((HttpResult.Response) result)).isEqualTo("ok");
    }

    private TestExecutor newExecutor() {
        return open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));
    }

    private static HttpRequest post(int port, String path, int bodyBytes) {
        return new HttpRequest("POST", new TargetUrl("https", "127.0.0.1", port, path), List.of(), new byte[bodyBytes]);
    }

    private static void respond(Stream stream) throws IOException {
        stream.headers(false, ":status", "200");
        stream.data(true, "ok");
    }

    /** Sends GOAWAY with the last allowed stream of a connection, answers the streams up to it, and closes the connection. */
    private static final class LimitedStreams implements ScriptedHttp2Connection.Listener {

        private final int limit;
        private final List<String> processed;
        private int started;
        private int answered;

        LimitedStreams(int limit, List<String> processed) {
            this.limit = limit;
            this.processed = processed;
        }

        @Override
        public void onHead(Stream stream) throws IOException {
            started++;
            if (started == limit) {
                stream.connection().goAway(stream.id(), Http2Error.NO_ERROR);
            }
        }

        @Override
        public void onComplete(Stream stream) throws IOException {
            processed.add(stream.path());
            respond(stream);
            answered++;
            if (answered == limit) {
                stream.connection().connection().closeNotify();
                stream.connection().connection().finish();
                stream.connection().connection().dropUntilClosed();
            }
        }
    }

    /** May delay or refuse a connection of a target. */
    private interface BeforeHandshake {

        void accept(ScriptedConnection connection) throws IOException, InterruptedException;
    }

    /** Answers calls of {@code /answer} at once and holds all others until the test releases them. Thread-safe. */
    private final class HoldingTarget implements ScriptedHttp2Connection.Listener {

        private final ScriptedServer server;
        private final List<Stream> held = new ArrayList<>();
        private final List<String> paths = new ArrayList<>();
        private volatile ScriptedHttp2Connection last;
        private boolean released;
        private int mostOpenWhenASecondArrived;
        private int connectionOfLastCall;

        HoldingTarget(Map<Integer, Integer> settings) {
            this(settings, connection -> {});
        }

        /** @param beforeHandshake is called with each connection */
        HoldingTarget(Map<Integer, Integer> settings, BeforeHandshake beforeHandshake) {
            server = open(new ScriptedServer(AUTHORITY.context(), List.of("h2"), connection -> {
                beforeHandshake.accept(connection);
                connection.protocol();
                last = new ScriptedHttp2Connection(connection, settings);
                last.serve(this);
            }));
        }

        int port() {
            return server.port();
        }

        int connections() {
            return server.connections();
        }

        /** Sends SETTINGS on the last connection and waits until the client has acknowledged them. */
        void changeSettings(Map<Integer, Integer> settings) throws IOException {
            last.settings(settings);
            await().until(last::areSettingsAcknowledged);
        }

        /** Returns the paths that start with a prefix, in the order of arrival. */
        synchronized List<String> paths(String prefix) {
            return paths.stream().filter(path -> path.startsWith(prefix)).toList();
        }

        /** Returns the number of the connection of the last call that was answered at once. */
        synchronized int connectionOfLastCall() {
            return connectionOfLastCall;
        }

        synchronized int openStreams() {
            return held.size();
        }

        /** Returns the most streams that were open when a request for {@code /second} arrived, with itself. */
        synchronized int mostOpenWhenASecondArrived() {
            return mostOpenWhenASecondArrived;
        }

        synchronized void answerOldest() throws IOException {
            respond(held.remove(0));
        }

        /** Answers all held calls, and all later ones at once. */
        synchronized void release() {
            released = true;
            for (Stream stream : held) {
                try {
                    respond(stream);
                } catch (IOException closed) {
                    // The test checks what the call says then.
                }
            }
            held.clear();
        }

        @Override
        public synchronized void onComplete(Stream stream) throws IOException {
            paths.add(stream.path());
            if (released || stream.path().equals("/answer")) {
                connectionOfLastCall = stream.connection().connection().number();
                respond(stream);
                return;
            }
            held.add(stream);
            if (stream.path().startsWith("/second")) {
                mostOpenWhenASecondArrived = Math.max(mostOpenWhenASecondArrived, held.size());
            }
        }
    }
}
