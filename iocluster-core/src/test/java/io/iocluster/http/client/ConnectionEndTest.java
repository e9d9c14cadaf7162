package io.iocluster.http.client;

import static io.iocluster.http.client.EndingTarget.EVENT;
import static io.iocluster.http.client.EndingTarget.SIBLING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ProxySettings;
import io.iocluster.http.client.ConnectionEnd.Call;
import io.iocluster.http.client.ConnectionEnd.Caller;
import io.iocluster.http.client.ConnectionEnd.Origin;
import io.iocluster.http.client.ConnectionEnd.Protocol;
import io.iocluster.http.client.ConnectionEnd.Repeat;
import io.iocluster.http.client.ConnectionEnd.Reuse;
import io.iocluster.http.client.ConnectionEnd.Trigger;
import io.iocluster.http.client.server.UnresponsivePort;
import io.iocluster.http.dns.DnsResolvers;
import io.iocluster.http.dns.FakeDns;
import io.iocluster.message.ErrorCode;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plays each row of {@link ConnectionEnds} for each protocol and each kind of call, on new and on reused connections. */
@Timeout(120)
class ConnectionEndTest extends ExecutorFixture {

    /** Long enough for a call on an open connection to be written, on a busy machine. */
    private static final Duration SHORT_TIMEOUT = Duration.ofMillis(1_500);

    /** The most often that a request is sent which the target refuses each time. */
    private static final int MOST_REPEATS = 5;

    /** One row with one protocol and one kind of call. */
    private record Case(String phase, ConnectionEnd end, Protocol protocol, Call call, boolean reused) {

        @Override
        public String toString() {
            String connection = end.origin != Origin.TARGET
                    ? ""
                    : end.trigger == Trigger.IDLE ? ", idle" : reused ? ", reused" : ", new";
            return protocol.text + connection + ", " + call + ": " + phase.toLowerCase(Locale.ROOT) + ", " + end.event;
        }
    }

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        ConnectionEnds.byPhase()
                .forEach((phase, ends) -> ends.forEach(end -> {
                    for (Protocol protocol : end.protocols) {
                        for (Call call : end.calls) {
                            for (boolean reused : connections(end)) {
                                if (isPlayed(end, protocol, call, reused)) {
                                    cases.add(new Case(phase, end, protocol, call, reused));
                                }
                            }
                        }
                    }
                }));
        return cases;
    }

    /** Returns the cases to play: on a reused connection (true), on a new one (false), or on both. */
    private static List<Boolean> connections(ConnectionEnd end) {
        if (end.trigger == Trigger.ACCEPT || end.origin != Origin.TARGET) {
            return List.of(false);
        }
        // A timeout must not expire before the connection is open.
        return end.trigger == Trigger.IDLE || end.caller != Caller.WAITS ? List.of(true) : List.of(false, true);
    }

    /**
     * TLS changes how an HTTP/1.1 connection ends, but not which call may be sent again. That depends on the method and on whether the
     * connection is reused, but not on the size of the body.
     */
    private static boolean isPlayed(ConnectionEnd end, Protocol protocol, Call call, boolean reused) {
        List<Boolean> connections = connections(end);
        if (protocol == Protocol.TLS && end.protocols.contains(Protocol.HTTP1)) {
            return call == Collections.min(end.calls) && reused == connections.contains(true);
        }
        boolean playsAll = connections.size() == 1 || end.calls.size() < Call.values().length;
        return playsAll || call == Call.GET || reused == (call == Call.POST);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    @Execution(ExecutionMode.CONCURRENT)
    void saysWhatIsKnownAfter(Case played) throws Exception {
        try {
            if (played.end.origin == Origin.TARGET) {
                new Play(played).run();
            } else {
                assertFailsAsExpected(played.end, unreachable(played));
            }
        } catch (AssertionError failed) {
            // The reports of the build have only the number of the case.
            throw new AssertionError(played + ": " + failed.getMessage(), failed);
        }
    }

    /** Calls an origin to which there is no connection. */
    private HttpResult unreachable(Case played) throws Exception {
        Call call = played.call;
        return switch (played.end.origin) {
            case UNKNOWN_NAME -> {
                FakeDns dns = open(new FakeDns(name -> List.of()));
                TestExecutor executor = open(new TestExecutor(
                        HttpSettings.DEFAULTS,
                        TRUST,
                        DnsResolvers.newResolverGroup(dns.settings(), Platform.system()),
                        TestExecutor.always(TestExecutor.policy("127.0.0.0/8"))));
                yield executor.await(request(played.protocol, call, "missing.example", 443, EVENT));
            }
            case CLOSED_PORT -> {
                int port;
                try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                    port = free.getLocalPort();
                }
                yield newExecutor().await(request(played.protocol, call, "127.0.0.1", port, EVENT));
            }
            case SILENT_PORT -> {
                UnresponsivePort silent = open(new UnresponsivePort());
                HttpSettings settings =
                        RecordCopy.with(HttpSettings.DEFAULTS, "connectTimeout", Duration.ofMillis(300));
                yield open(new TestExecutor(settings, TRUST))
                        .await(request(played.protocol, call, "127.0.0.1", silent.port(), EVENT));
            }
            case REFUSING_PROXY -> {
                ScriptedServer proxy = server(respondingWith("HTTP/1.1 403 Forbidden\nContent-Length: 0\n\n"));
                ProxySettings settings = new ProxySettings(ProxySettings.Type.HTTP, "127.0.0.1", proxy.port(), "", "");
                HttpProfile profile = RecordCopy.with(HttpProfile.of(HttpSettings.DEFAULTS), "proxy", settings);
                TestExecutor executor = open(new TestExecutor(profile, TestExecutor.policy("127.0.0.0/8")));
                yield executor.await(request(played.protocol, call, "127.0.0.1", 443, EVENT));
            }
            case TARGET -> throw new AssertionError("the target is reachable");
        };
    }

    /** One case from the first connection to the last. */
    private final class Play {

        private final Case played;
        private final ConnectionEnd end;
        private final EndingTarget target;
        private final TestExecutor executor = newExecutor();
        private final List<CompletableFuture<HttpResult>> siblings = new ArrayList<>();

        Play(Case played) {
            this.played = played;
            this.end = played.end;
            this.target = open(new EndingTarget(end, played.protocol, AUTHORITY.context()));
        }

        void run() {
            if (played.reused) {
                assertAnswered(executor.response(get("/first")), 200);
            }
            if (played.reused && played.protocol == Protocol.HTTP2 && end.trigger != Trigger.IDLE) {
                startSiblings();
            }
            CompletableFuture<HttpResult> call = call();
            if (end.caller == Caller.CANCELS) {
                cancel(call);
            } else {
                assertOutcome(call.orTimeout(1, TimeUnit.MINUTES).join());
            }
            assertRequestsReceived();
            assertClientReset();
            assertSiblings();
            if (end.trigger != Trigger.ACCEPT || !end.everyTime) {
                assertNextCall();
            }
            target.close();
            awaitConnections(0);
            assertThat(executor.connectingTargets()).isZero();
        }

        private void startSiblings() {
            for (int i = 0; i < end.siblings; i++) {
                siblings.add(executor.call(request(Call.POST, SIBLING)));
            }
            await().untilAsserted(() -> assertThat(target.requests(SIBLING))
                    .filteredOn(EndingTarget.Request::isComplete)
                    .hasSize(end.siblings));
        }

        /** Starts the call on the event loop. The future is the executor's, so that it can be cancelled. */
        private CompletableFuture<HttpResult> call() {
            Duration timeout = end.caller == Caller.TIMES_OUT ? SHORT_TIMEOUT : TestExecutor.LONG_TIMEOUT;
            HttpRequest request = request(played.call, EVENT);
            executor.awaitEndOfTurn();
            return executor.onLoop(() -> {
                if (end.trigger == Trigger.IDLE) {
                    target.endIdleConnection();
                }
                return executor.executor().execute(request, timeout, TestExecutor.UNLIMITED);
            });
        }

        private void cancel(CompletableFuture<HttpResult> call) {
            if (!waitsForAStream()) {
                await().until(target::hasPlayed);
            }
            assertThat(executor.onLoop(() -> call.cancel(true))).isTrue();
        }

        private boolean waitsForAStream() {
            return end.siblings > 1;
        }

        private void assertOutcome(HttpResult result) {
            boolean answeredAgain =
                    end.isRepeated(played.call, played.reused) && !end.certainties.contains(Certainty.NOT_PROCESSED);
            if (answeredAgain || end.codes.isEmpty()) {
                assertThat(result).isInstanceOf(HttpResult.Response.class);
                assertAnswered((HttpResult.Response) result, answeredAgain ? 200 : end.status);
            } else if (end.mayBeAnswered && result instanceof HttpResult.Response response) {
                assertAnswered(response, 200);
            } else {
                assertFailsAsExpected(end, result);
            }
        }

        /** The result never claims less than the target did, and no POST is processed twice. */
        private void assertRequestsReceived() {
            List<EndingTarget.Request> received = target.requests(EVENT);
            long complete =
                    received.stream().filter(EndingTarget.Request::isComplete).count();
            long processed = target.processed(EVENT);
            if (end.certainties.equals(Set.of(Certainty.NOT_SENT)) || waitsForAStream()) {
                assertThat(received).isEmpty();
            }
            if (end.certainties.equals(Set.of(Certainty.NOT_PROCESSED))) {
                assertThat(processed).isZero();
            }
            if (end.trigger == Trigger.IDLE) {
                assertThat(received).singleElement().satisfies(request -> {
                    assertThat(request.isComplete()).isTrue();
                    assertThat(request.connection).isEqualTo(2);
                });
            }
            if (end.everyTime && end.repeat == Repeat.ALWAYS) {
                assertThat(received).hasSizeBetween(2, MOST_REPEATS);
            } else if (end.isRepeated(played.call, played.reused)) {
                assertThat(received).hasSize(2);
                assertThat(received.get(1).isComplete()).isTrue();
            } else {
                assertThat(received).hasSizeLessThanOrEqualTo(1);
                assertThat(complete).isLessThanOrEqualTo(1);
            }
            if (played.call != Call.GET) {
                assertThat(processed).isLessThanOrEqualTo(1);
            }
        }

        private void assertClientReset() {
            if (!end.clientReset.isEmpty()) {
                await().untilAsserted(() -> assertThat(target.requests(EVENT))
                        .singleElement()
                        .satisfies(request -> assertThat(request.resetCode())
                                .isIn(end.clientReset.stream()
                                        .map(code -> code.code())
                                        .toList())));
            }
        }

        private void assertSiblings() {
            target.releaseSiblings();
            for (CompletableFuture<HttpResult> sibling : siblings) {
                HttpResult result = sibling.orTimeout(1, TimeUnit.MINUTES).join();
                if (end.endsConnection) {
                    HttpResult.Failure failure = TestExecutor.failure(result);
                    assertThat(failure.code()).isEqualTo(ErrorCode.CONNECTION_CLOSED);
                    assertThat(failure.certainty()).isEqualTo(Certainty.UNKNOWN);
                } else {
                    assertThat(result).isInstanceOf(HttpResult.Response.class);
                    assertAnswered((HttpResult.Response) result, 200);
                }
            }
            assertThat(target.requests(SIBLING)).hasSize(siblings.size());
        }

        private void assertNextCall() {
            boolean first =
                    end.trigger == Trigger.ACCEPT || target.requests(EVENT).isEmpty();
            int endedConnection = first ? 1 : target.requests(EVENT).get(0).connection;
            assertAnswered(executor.response(get("/next")), 200);
            int next = target.requests("/next").get(0).connection;
            if (end.reuse == Reuse.YES) {
                assertThat(next).isEqualTo(endedConnection);
                assertThat(target.connections()).isEqualTo(1);
            } else if (end.reuse == Reuse.NO && end.trigger != Trigger.IDLE) {
                assertThat(next).isGreaterThan(endedConnection);
            } else if (end.trigger == Trigger.IDLE) {
                assertThat(next).isEqualTo(2);
            }
            awaitConnections(end.reuse == Reuse.EITHER ? target.connections() : 1);
        }

        private void awaitConnections(int expected) {
            await().untilAsserted(() -> {
                HttpExecutor.ConnectionStats stats = executor.executor().connectionStats();
                assertThat(stats.active() + stats.idle()).isLessThanOrEqualTo(expected);
            });
        }

        private HttpRequest get(String path) {
            return request(Call.GET, path);
        }

        private HttpRequest request(Call call, String path) {
            return ConnectionEndTest.request(played.protocol, call, "127.0.0.1", target.port(), path);
        }

        private void assertAnswered(HttpResult.Response response, int status) {
            assertThat(response.status()).isEqualTo(status);
            assertThat(TestExecutor.text(response)).isEqualTo("ok");
            assertThat(response.truncated()).isFalse();
        }
    }

    private static void assertFailsAsExpected(ConnectionEnd end, HttpResult result) {
        HttpResult.Failure failure = TestExecutor.failure(result);
        assertThat(failure.code()).isIn(end.codes);
        assertThat(failure.certainty()).isIn(end.certainties);
    }

    private TestExecutor newExecutor() {
        return open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));
    }

    private static HttpRequest request(Protocol protocol, Call call, String host, int port, String path) {
        String scheme = protocol == Protocol.HTTP1 ? "http" : "https";
        return new HttpRequest(
                call.method,
                new TargetUrl(scheme, host, port, path),
                List.of(),
                call.bodyBytes == 0 ? null : "x".repeat(call.bodyBytes).getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void thePageHasEachRowOfTheTable() throws IOException {
        Path page = Path.of(System.getProperty("basedir", ".")).resolve("../docs/egress.md");
        List<String> documented = Files.readAllLines(page).stream()
                .dropWhile(line -> !line.equals("## How a connection can end"))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .dropWhile(line -> !line.startsWith("### "))
                .filter(line -> line.startsWith("### ") || line.startsWith("| "))
                .filter(line -> !line.equals(ConnectionEnds.MARKDOWN_HEADER))
                .toList();

        List<String> played = ConnectionEnds.byPhase().entrySet().stream()
                .flatMap(phase -> Stream.concat(
                        Stream.of("### " + phase.getKey()), ConnectionEnds.toMarkdown(phase.getValue()).stream()))
                .toList();
        assertThat(documented).containsExactlyElementsOf(played);
    }
}
