package io.iocluster.node.events;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.iocluster.node.AdminFixture;
import io.iocluster.node.admin.AdminServer;
import io.iocluster.node.audit.AuditLog;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.junit.NewThreads;
import io.iocluster.thread.Platform;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;

/** Tests event streams with sockets and parts that the test controls. */
class EventStreamsTest {

    private static final EventTiming FAST =
            new EventTiming(Duration.ofMillis(50), Duration.ofMillis(300), Duration.ofMinutes(1), Duration.ofHours(1));

    private final NewThreads threads = new NewThreads();
    private final AdminFixture fixture = new AdminFixture("admin: {port: 0, token: s3cr3t, read-only-token: r3ader}");
    private final AtomicReference<JsonNode> text = new AtomicReference<>(StringNode.valueOf("first"));
    private final AtomicInteger textReads = new AtomicInteger();
    private final AtomicReference<Error> textFailure = new AtomicReference<>();
    private final AtomicInteger ticks = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<Socket> clients = new ArrayList<>();
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        start(FAST);
    }

    private void start(EventTiming timing) throws IOException {
        List<EventPart> parts = List.of(
                EventPart.open("text", 1, () -> {
                    textReads.incrementAndGet();
                    if (textFailure.get() != null) {
                        throw textFailure.get();
                    }
                    return text.get();
                }),
                EventPart.sensitive("secret", 1, () -> StringNode.valueOf("hidden")),
                EventPart.open("tick", 1, () -> JsonNodeFactory.instance.numberNode(ticks.incrementAndGet())));
        EventStreams streams = new EventStreams(parts, 2, stopped::get, timing, Platform.system());
        server = AdminServer.start(
                fixture.node.settings().admin(),
                fixture.node,
                List.of(EventsRoute.of(streams)),
                List.of(),
                new AuditLog(System::nanoTime),
                Platform.system());
    }

    @AfterEach
    void close() throws IOException {
        closeClients();
        server.close();
        fixture.close();
    }

    private void closeClients() throws IOException {
        for (Socket each : clients) {
            each.close();
        }
    }

    @Test
    void beginsWithAllPartsAndThenSendsAnEventForEachChange() throws IOException {
        BufferedReader events = open("parts=text");

        assertThat(next(events)).isEqualTo("event: text|data: \"first\"");

        text.set(StringNode.valueOf("second"));

        assertThat(next(events)).isEqualTo("event: text|data: \"second\"");
    }

    @Test
    void sendsTheHeadersOfAnEventStream() throws IOException {
        BufferedReader response = request("parts=text");

        assertThat(headers(response))
                .startsWith("HTTP/1.1 200")
                .contains(
                        "content-type: text/event-stream",
                        "cache-control: no-store",
                        "x-accel-buffering: no",
                        "x-content-type-options: nosniff");
    }

    @Test
    void sendsHeartbeatsWhileNothingChanges() throws IOException {
        BufferedReader events = open("parts=text");
        next(events);

        assertThat(heartbeat(events)).isEqualTo(": heartbeat");
        assertThat(heartbeat(events)).isEqualTo(": heartbeat");
        await().untilAsserted(() -> assertThat(textReads).hasValueGreaterThan(5));
    }

    @Test
    void oneReadServesAllStreams() throws IOException {
        BufferedReader first = open("parts=text");
        BufferedReader second = open("parts=text");
        next(first);
        next(second);

        text.set(StringNode.valueOf("second"));

        assertThat(next(first)).isEqualTo("event: text|data: \"second\"");
        assertThat(next(second)).isEqualTo("event: text|data: \"second\"");
    }

    @Test
    void aNewStreamBeginsWithCurrentValuesAndNotWithThoseOfTheLastTick() throws IOException {
        server.close();
        start(new EventTiming(Duration.ofHours(1), FAST.heartbeat(), FAST.stalled(), FAST.longest()));
        BufferedReader first = open("parts=text");
        next(first);
        text.set(StringNode.valueOf("second"));

        BufferedReader second = open("parts=text");

        assertThat(next(second)).isEqualTo("event: text|data: \"second\"");
        assertThat(next(first)).isEqualTo("event: text|data: \"second\"");
    }

    @Test
    void refusesStreamsBeyondTheLimitUntilOneIsClosed() throws IOException {
        open("parts=text");
        open("parts=text");

        assertThat(status("parts=text")).isEqualTo("HTTP/1.1 429 Too Many Requests");

        clients.get(0).close();

        await().until(() -> status("parts=text").equals("HTTP/1.1 200 OK"));
    }

    @Test
    void readsNothingWithoutAStream() throws IOException {
        assertThat(textReads).hasValue(0);
        next(open("parts=text"));
        clients.get(0).close();

        await().until(() -> threads.named("iocluster-events").isEmpty());

        int reads = textReads.get();
        next(open("parts=tick"));
        assertThat(textReads).hasValue(reads);
    }

    @Test
    void cutsOffClientsThatDoNotReadAndServesOthers() throws IOException {
        server.close();
        start(new EventTiming(FAST.tick(), FAST.heartbeat(), Duration.ofMillis(500), FAST.longest()));
        text.set(StringNode.valueOf("x".repeat(16 << 20)));
        request("parts=text,tick");
        request("parts=text,tick");

        // The limit is two, so a third one is accepted only after one was cut off.
        await().untilAsserted(() -> assertThat(status("parts=tick")).isEqualTo("HTTP/1.1 200 OK"));
        await().until(() -> isClosedByTheServer(clients.get(0)) && isClosedByTheServer(clients.get(1)));
        assertThat(next(open("parts=tick"))).startsWith("event: tick");
    }

    @Test
    void aSlowClientGetsOnlyTheLatestEvent() throws IOException {
        EventStream stream = new EventStream(Set.of("text"), 2, EventTiming.DEFAULT, closed -> {}, Platform.system());
        stream.offer(0, new byte[] {1});
        stream.offer(1, new byte[] {2});
        stream.offer(0, new byte[] {3});

        assertThat(stream.poll()).containsExactly(3, 2);
        assertThat(stream.poll()).isEmpty();
    }

    @Test
    void sendsALargeEventInPartsSoThatASlowClientCountsAsReading() {
        EventStream stream = new EventStream(Set.of("text"), 2, EventTiming.DEFAULT, closed -> {}, Platform.system());
        byte[] large = new byte[EventStream.MAX_WRITE_BYTES * 2 + 1];
        large[large.length - 1] = 3;
        stream.offer(0, large);
        stream.end();

        assertThat(stream.poll()).hasSize(EventStream.MAX_WRITE_BYTES);
        stream.offer(1, new byte[] {4});
        assertThat(stream.poll()).hasSize(EventStream.MAX_WRITE_BYTES);
        assertThat(stream.poll()).containsExactly(3);
        assertThat(stream.poll()).containsExactly(4);
        assertThat(stream.poll()).isNull();
    }

    @Test
    void endsWithTheLastStateWhenTheNodeHasDrained() throws IOException {
        BufferedReader events = open("parts=text");
        next(events);
        text.set(StringNode.valueOf("drained"));
        stopped.set(true);

        assertThat(next(events)).isEqualTo("event: text|data: \"drained\"");
        assertThat(next(events)).isEmpty();
        assertThat(status("parts=text")).startsWith("HTTP/1.1 503");
    }

    @Test
    void endsAfterTheLongestTime() throws IOException {
        server.close();
        start(new EventTiming(FAST.tick(), FAST.heartbeat(), FAST.stalled(), Duration.ofMillis(400)));
        BufferedReader events = open("parts=text");
        next(events);

        await().until(() -> next(events).isEmpty());
    }

    @Test
    void endsWhenTheServerCloses() throws IOException {
        BufferedReader events = open("parts=text");
        next(events);

        server.close();

        assertThat(next(events)).isEmpty();
        await().until(() -> threads.named("iocluster-events").isEmpty());
    }

    @Test
    void aSensitivePartNeedsAToken() throws IOException {
        assertThat(status("parts=secret")).startsWith("HTTP/1.1 401");
        assertThat(status("")).startsWith("HTTP/1.1 401");
        assertThat(status("parts=secret", "Authorization: Bearer wrong")).startsWith("HTTP/1.1 401");
        assertThat(status("parts=secret", "Authorization: Bearer s3cr3t", "Origin: http://evil.example"))
                .startsWith("HTTP/1.1 403");

        BufferedReader events = request("parts=secret", "Authorization: Bearer r3ader");

        assertThat(headers(events)).startsWith("HTTP/1.1 200");
        assertThat(next(events)).isEqualTo("event: secret|data: \"hidden\"");
    }

    @Test
    void refusesUnknownPartsAndParameters() throws IOException {
        assertThat(status("parts=text,nothing")).startsWith("HTTP/1.1 400");
        assertThat(status("part=text", "Authorization: Bearer s3cr3t")).startsWith("HTTP/1.1 400");
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = SEPARATE_THREAD)
    void streamsWorkAgainAfterAPartFailedWithAnError() throws IOException {
        textFailure.set(new NoClassDefFoundError("a class of a changed jar"));

        try (CapturedLog log = CapturedLog.of(EventStreams.class)) {
            assertThat(next(open("parts=text"))).isEmpty();
            await().until(() -> threads.named("iocluster-events").isEmpty());
            assertThat(next(open("parts=text"))).isEmpty();
            await().until(() -> threads.named("iocluster-events").isEmpty());
            assertThat(log.messages())
                    .containsExactly(
                            "Event streams end because of a defect; clients can poll the paths of the API suppressed=0");
        }

        textFailure.set(null);
        await().untilAsserted(() -> assertThat(status("parts=tick")).isEqualTo("HTTP/1.1 200 OK"));
        assertThat(next(open("parts=tick"))).startsWith("event: tick");
    }

    @Test
    void clientsThatGoAtOnceLeaveNoStream() throws IOException {
        for (int i = 0; i < 200; i++) {
            request("parts=text");
            clients.get(i).close();
        }

        // The server may still read requests of closed connections.
        await().untilAsserted(() -> {
            closeClients();
            open("parts=text");
            open("parts=text");
        });
    }

    /** Finds out without reading, because the client of this test does not read. */
    private static boolean isClosedByTheServer(Socket client) {
        try {
            client.getOutputStream().write('x');
            return false;
        } catch (IOException closed) {
            return true;
        }
    }

    /** Opens a stream and skips its headers. */
    private BufferedReader open(String query, String... headers) throws IOException {
        BufferedReader response = request(query, headers);
        assertThat(headers(response)).startsWith("HTTP/1.1 200");
        return response;
    }

    /** Returns the status line of a request, whose connection is closed then. */
    private String status(String query, String... headers) throws IOException {
        BufferedReader response = request(query, headers);
        String line = response.readLine();
        clients.get(clients.size() - 1).close();
        return line;
    }

    private BufferedReader request(String query, String... headers) throws IOException {
        Socket client =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        client.setSoTimeout(30_000);
        clients.add(client);
        String lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        client.getOutputStream()
                .write(("GET /api/events?" + query + " HTTP/1.1\r\nHost: localhost\r\n" + lines + "\r\n")
                        .getBytes(US_ASCII));
        return new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
    }

    private static String headers(BufferedReader response) throws IOException {
        StringBuilder headers = new StringBuilder();
        for (String line = response.readLine(); !line.isEmpty(); line = response.readLine()) {
            headers.append(line).append('\n');
        }
        return headers.toString();
    }

    /** Returns the next comment. */
    private static String heartbeat(BufferedReader events) throws IOException {
        String line = events.readLine();
        while (!line.startsWith(":")) {
            line = events.readLine();
        }
        return line;
    }

    /** Returns the lines of the next event, which are neither comments nor sizes of chunks; empty at the end of the stream. */
    private static String next(BufferedReader events) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            if (line.startsWith("event: ") || line.startsWith("data: ")) {
                lines.add(line);
            } else if (line.isEmpty() && !lines.isEmpty()) {
                return String.join("|", lines);
            } else if (line.equals("0")) {
                return "";
            }
        }
        return String.join("|", lines);
    }
}
