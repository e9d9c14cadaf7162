package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.client.server.Http2Target;
import io.iocluster.message.ErrorCode;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.record.RecordCopy;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A target that sends HTTP/2 frames with little or no content for as long as the connection is open. */
@Timeout(60)
class Http2FloodTest extends ExecutorFixture {

    private static final int FIRST_STREAM = 3;
    private static final int MORE_THAN_NETTY_TAKES = 2_000;
    /** As many parts of one byte as a response may have. */
    private static final int ACCEPTED_PARTS = 4_000;
    /** Enough parts of one byte for a reset of the stream, but not enough to close the connection. */
    private static final int TOO_MANY_PARTS = 4_200;

    private static final int MORE_THAN_A_CONNECTION_MAY_HAVE = 10_000;
    private static final byte[] NOTHING = {};
    /** Headers of a response with status 200, as HPACK encodes them. */
    private static final byte[] OK_HEADERS = {(byte) 0x88};

    private static final byte[] INTERIM_HEADERS = {8, 3, '1', '0', '3'};
    private static final int END_HEADERS = 4;
    private static final int END_STREAM = 1;

    static Stream<Arguments> floods() {
        return Stream.of(
                Arguments.of("SETTINGS", frame(Http2FrameTypes.SETTINGS, 0, 0, NOTHING)),
                Arguments.of("PING", frame(Http2FrameTypes.PING, 0, 0, new byte[8])),
                Arguments.of("PING acknowledgement", frame(Http2FrameTypes.PING, 1, 0, new byte[8])),
                Arguments.of("PRIORITY", frame(Http2FrameTypes.PRIORITY, 0, FIRST_STREAM, new byte[5])),
                Arguments.of("WINDOW_UPDATE", frame(Http2FrameTypes.WINDOW_UPDATE, 0, 0, new byte[] {0, 0, 0, 1})),
                Arguments.of("unknown type", frame((byte) 0x77, 0, FIRST_STREAM, new byte[3])),
                Arguments.of("103", frame(Http2FrameTypes.HEADERS, END_HEADERS, FIRST_STREAM, INTERIM_HEADERS)),
                Arguments.of(
                        "empty CONTINUATION",
                        join(
                                frame(Http2FrameTypes.HEADERS, 0, FIRST_STREAM, OK_HEADERS),
                                repeat(frame(Http2FrameTypes.CONTINUATION, 0, FIRST_STREAM, NOTHING)))),
                Arguments.of(
                        "empty DATA",
                        join(
                                frame(Http2FrameTypes.HEADERS, END_HEADERS, FIRST_STREAM, OK_HEADERS),
                                repeat(frame(Http2FrameTypes.DATA, 0, FIRST_STREAM, NOTHING)))),
                Arguments.of("DATA of one byte for a call that has ended", dataAfterReset(1)),
                Arguments.of("DATA of 100 bytes for a call that has ended", dataAfterReset(100)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("floods")
    void endsACallWhoseTargetFloodsTheConnection(String name, byte[] frames) throws Exception {
        Http2Target target = open(new Http2Target(AUTHORITY.target()));
        target.floodWith("/flood", frames.length < 100 ? repeat(frames) : frames);
        // So that only the flood can be the reason to close the connection.
        HttpSettings settings = RecordCopy.with(HttpSettings.DEFAULTS, "idleTimeout", Duration.ofHours(1));
        TestExecutor executor = open(new TestExecutor(settings, TRUST));
        HttpResult.Failure failure = executor.failure(get(target, "/flood"));
        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        await().until(() -> target.openConnections() == 0);
        assertThat(executor.response(get(target, "/")).status()).isEqualTo(200);
    }

    /** A response in too many parts, which ends the call, and further parts. */
    private static byte[] dataAfterReset(int size) {
        return join(
                frame(Http2FrameTypes.HEADERS, END_HEADERS, FIRST_STREAM, OK_HEADERS),
                repeat(frame(Http2FrameTypes.DATA, 0, FIRST_STREAM, new byte[1]), TOO_MANY_PARTS),
                repeat(frame(Http2FrameTypes.DATA, 0, FIRST_STREAM, new byte[size]), MORE_THAN_A_CONNECTION_MAY_HAVE));
    }

    @Test
    void closesAConnectionWithThousandsOfPartsOfAnEndedCall() throws Exception {
        Http2Target target = open(new Http2Target(AUTHORITY.target()));
        target.respondAfterReset(
                "/late",
                repeat(frame(Http2FrameTypes.DATA, 0, FIRST_STREAM, new byte[1]), MORE_THAN_A_CONNECTION_MAY_HAVE));
        HttpSettings settings = RecordCopy.with(HttpSettings.DEFAULTS, "idleTimeout", Duration.ofHours(1));
        TestExecutor executor = open(new TestExecutor(settings, TRUST));
        HttpResult.Failure failure =
                TestExecutor.failure(executor.call(get(target, "/late"), Duration.ofSeconds(3), TestExecutor.UNLIMITED)
                        .join());
        assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
        await().until(() -> target.openConnections() == 0);
    }

    @Test
    void acceptsAResponseInThousandsOfSmallFrames() throws Exception {
        Http2Target target = open(new Http2Target(AUTHORITY.target()));
        target.respondWithFrames(
                "/small",
                join(
                        frame(Http2FrameTypes.HEADERS, END_HEADERS, FIRST_STREAM, OK_HEADERS),
                        repeat(frame(Http2FrameTypes.DATA, 0, FIRST_STREAM, new byte[1]), ACCEPTED_PARTS),
                        frame(Http2FrameTypes.DATA, END_STREAM, FIRST_STREAM, new byte[1])));
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));
        assertThat(executor.response(get(target, "/small")).body()).hasSize(ACCEPTED_PARTS + 1);
        assertThat(target.openConnections()).isEqualTo(1);
    }

    /** Servers send an empty part when a program flushes twice. */
    @Test
    void acceptsAResponseWithEmptyFrames() throws Exception {
        Http2Target target = open(new Http2Target(AUTHORITY.target()));
        target.respondWithFrames(
                "/empty",
                join(
                        frame(Http2FrameTypes.HEADERS, END_HEADERS, FIRST_STREAM, OK_HEADERS),
                        repeat(frame(Http2FrameTypes.DATA, 0, FIRST_STREAM, NOTHING), 50),
                        frame(Http2FrameTypes.DATA, END_STREAM, FIRST_STREAM, new byte[1])));
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));

        assertThat(executor.response(get(target, "/empty")).body()).hasSize(1);
        assertThat(target.openConnections()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"GET, -119", "HEAD, -120"})
    void endsACallWhoseResponseHasNoBodyWhenTheTargetSendsOneWithoutEnd(String method, byte status) throws Exception {
        Http2Target target = open(new Http2Target(AUTHORITY.target()));
        target.respondWithFrames(
                "/endless",
                join(
                        frame(Http2FrameTypes.HEADERS, END_HEADERS, FIRST_STREAM, new byte[] {status}),
                        repeat(frame(Http2FrameTypes.DATA, 0, FIRST_STREAM, new byte[16_000]), 200)));
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));

        HttpResult.Response response = executor.response(new HttpRequest(
                method, new TargetUrl("https", "127.0.0.1", target.port(), "/endless"), List.of(), null));

        assertThat(response.body()).isEmpty();
        assertThat(target.openConnections()).isEqualTo(1);
    }

    @Test
    void acceptsHundredsOfInterimResponses() throws Exception {
        Http2Target target = open(new Http2Target(AUTHORITY.target()));
        target.respondWithFrames(
                "/progress",
                join(
                        repeat(frame(Http2FrameTypes.HEADERS, END_HEADERS, FIRST_STREAM, INTERIM_HEADERS), 500),
                        frame(Http2FrameTypes.HEADERS, END_HEADERS | END_STREAM, FIRST_STREAM, OK_HEADERS)));
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));

        assertThat(executor.response(get(target, "/progress")).status()).isEqualTo(200);
    }

    /** A reference to an entry of the header table has one byte, and decodes to thousands. */
    @Test
    void endsOnlyACallWhoseInterimResponsesDecodeToManyBytes() throws Exception {
        Http2Target target = open(new Http2Target(AUTHORITY.target()));
        byte[] newEntry = {0x40, 1, 'x', 0x7f, (byte) 0xbd, 0x1d};
        byte[] references = repeat(new byte[] {(byte) 0xbe}, 15);
        target.respondWithFrames(
                "/interim-flood",
                join(
                        frame(
                                Http2FrameTypes.HEADERS,
                                END_HEADERS,
                                FIRST_STREAM,
                                join(INTERIM_HEADERS, newEntry, repeat(new byte[] {'v'}, 3_900))),
                        repeat(
                                frame(
                                        Http2FrameTypes.HEADERS,
                                        END_HEADERS,
                                        FIRST_STREAM,
                                        join(INTERIM_HEADERS, references)),
                                5),
                        frame(Http2FrameTypes.HEADERS, END_HEADERS | END_STREAM, FIRST_STREAM, OK_HEADERS)));
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));

        HttpResult.Failure failure = executor.failure(get(target, "/interim-flood"));

        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        assertThat(failure.message()).contains("besides the body");
        assertThat(target.openConnections()).isEqualTo(1);
    }

    @Test
    void logsOneLineWithoutAStackTraceForManyFloods() throws Exception {
        CapturedLog log = open(CapturedLog.of(Logger.ROOT_LOGGER_NAME));
        Http2Target target = open(new Http2Target(AUTHORITY.target()));
        target.floodWith("/flood", repeat(frame(Http2FrameTypes.DATA, 0, 0, new byte[1])));
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));
        for (int i = 0; i < 5; i++) {
            assertThat(executor.failure(get(target, "/flood")).code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        }
        List<ILoggingEvent> warnings = log.events().stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .filter(line -> line.getThreadName().startsWith("test-loop"))
                .toList();
        assertThat(warnings).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage()).startsWith("HTTP/2 connection failed; its calls fail address=");
            assertThat(line.getThrowableProxy()).isNull();
        });
    }

    /** The node accepts no stream that the target opens. One that stayed open would keep the connection open for ever. */
    @Test
    void closesAnIdleConnectionOnWhichTheTargetOpenedStreams() throws Exception {
        Http2Target target = open(new Http2Target(AUTHORITY.target()));
        target.respondWithFrames(
                "/streams",
                join(
                        frame(Http2FrameTypes.HEADERS, END_HEADERS | END_STREAM, 2, OK_HEADERS),
                        frame(Http2FrameTypes.HEADERS, END_HEADERS, 4, OK_HEADERS),
                        frame(Http2FrameTypes.HEADERS, END_HEADERS | END_STREAM, FIRST_STREAM, OK_HEADERS)));
        HttpSettings settings = RecordCopy.with(HttpSettings.DEFAULTS, "idleTimeout", Duration.ofMillis(200));
        TestExecutor executor = open(new TestExecutor(settings, TRUST));

        executor.call(get(target, "/streams")).orTimeout(1, TimeUnit.MINUTES).join();

        await().until(() -> target.openConnections() == 0);
    }

    @Test
    void keepsAConnectionThatCarriesThousandsOfCalls() throws Exception {
        Http2Target target = open(new Http2Target(AUTHORITY.target()));
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));
        executor.response(get(target, "/"));
        for (int round = 0; round < 40; round++) {
            List<CompletableFuture<HttpResult>> calls = Stream.generate(() -> executor.call(get(target, "/")))
                    .limit(100)
                    .toList();
            assertThat(calls).allSatisfy(call -> assertThat(call.join()).isInstanceOf(HttpResult.Response.class));
        }
        assertThat(target.connections()).isEqualTo(1);
    }

    @Test
    void keepsAConnectionWhoseTargetAnswersEachFrameOfLargeBodies() throws Exception {
        Http2Target target = open(new Http2Target(AUTHORITY.target()));
        byte[] windowUpdate = frame(Http2FrameTypes.WINDOW_UPDATE, 0, 0, new byte[] {0, 0, 0, 1});
        target.acknowledgeWith(repeat(windowUpdate, 8));
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));
        HttpRequest upload = new HttpRequest(
                "POST",
                new TargetUrl("https", "127.0.0.1", target.port(), "/acknowledged"),
                List.of(),
                new byte[8 << 20]);

        assertThat(executor.response(upload).status()).isEqualTo(200);
        assertThat(target.openConnections()).isEqualTo(1);
    }

    private static HttpRequest get(Http2Target target, String path) {
        return new HttpRequest("GET", new TargetUrl("https", "127.0.0.1", target.port(), path), List.of(), null);
    }

    private static byte[] frame(byte type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) 0)
                .putShort((short) payload.length)
                .put(type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    private static byte[] repeat(byte[] frame) {
        return repeat(frame, MORE_THAN_NETTY_TAKES);
    }

    private static byte[] repeat(byte[] frame, int count) {
        byte[][] frames = new byte[count][];
        Arrays.fill(frames, frame);
        return join(frames);
    }

    private static byte[] join(byte[]... frames) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] each : frames) {
            joined.writeBytes(each);
        }
        return joined.toByteArray();
    }
}
