package io.iocluster.node.door.grpc;

import static io.iocluster.node.door.grpc.GrpcCaller.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.StreamObserver;
import io.iocluster.node.door.DoorFixture;
import io.iocluster.node.door.grpc.GrpcCaller.Refusal;
import io.iocluster.v1.Answer;
import io.iocluster.v1.CallsGrpc;
import io.iocluster.v1.Envelope;
import io.iocluster.v1.Method;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Large, slow, many and malformed requests over gRPC: each is refused, and the door continues. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileGrpcTest {

    private static final String REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final byte[] PING = {0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};

    private static final String SMALL_LIMITS =
            "grpc: {enabled: true, port: 0, max-streams: 5}, limits: {max-body: 4KiB, max-bodies: 18KiB,"
                    + " max-headers: 4KiB, body-timeout: 3s, max-connections: 8}";

    private DoorFixture door;
    private GrpcCaller caller;

    @BeforeAll
    void start() {
        door = new DoorFixture(SMALL_LIMITS);
        caller = new GrpcCaller(door);
    }

    @AfterEach
    void theDoorStillServes() {
        assertThat(caller.calls().call(caller.envelope("/ok")).getStatus()).isEqualTo(200);
        await().until(() -> door.get("/metrics").body().contains("iocluster_door_body_bytes 0.0"));
    }

    @AfterAll
    void stop() {
        caller.close();
        door.close();
    }

    private Envelope withBody(String path, int bytes) {
        return withBody(caller, path, bytes);
    }

    private static Envelope withBody(GrpcCaller client, String path, int bytes) {
        return client.envelope(path).toBuilder()
                .setMethod(Method.METHOD_POST)
                .setBody("x".repeat(bytes))
                .build();
    }

    @Test
    void aMessageThatIsTooLargeIsRefused() {
        long before = door.targetRequests();

        Refusal refusal = refusal(() -> caller.calls().call(withBody("/ok", 5_000)));

        assertThat(refusal.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(door.targetRequests()).isEqualTo(before);
    }

    @Test
    void metadataThatIsTooLargeIsRefused() {
        long before = door.targetRequests();

        Refusal refusal =
                refusal(() -> caller.calls("x-large", "x".repeat(6_000)).call(caller.envelope("/ok")));

        assertThat(refusal.code()).isNotEqualTo(Status.Code.OK);
        assertThat(door.targetRequests()).isEqualTo(before);
    }

    @Test
    void aRequestThatDoesNotArriveInTimeIsRefused() {
        assertRefusedWithoutMessage(CallsGrpc.getCallMethod());
    }

    @Test
    void aHealthWatchThatDoesNotArriveInTimeIsRefused() {
        assertRefusedWithoutMessage(HealthGrpc.getWatchMethod());
    }

    private <Q, A> void assertRefusedWithoutMessage(MethodDescriptor<Q, A> method) {
        // A client of a stream sends the start of its request at once.
        MethodDescriptor<Q, A> streaming =
                method.toBuilder().setType(MethodType.BIDI_STREAMING).build();
        ClientCall<Q, A> call = caller.channel().newCall(streaming, CallOptions.DEFAULT);
        CompletableFuture<Refusal> end = new CompletableFuture<>();
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        end.complete(new Refusal(status, trailers));
                    }
                },
                new Metadata());
        call.request(1);

        Refusal refusal = end.orTimeout(1, TimeUnit.MINUTES).join();

        assertThat(refusal.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(refusal.trailer("iocluster-code")).isEqualTo("request-timeout");
    }

    @ParameterizedTest
    @CsvSource({"/iocluster.v1.Calls/StreamCalls, grpc-stream-calls", REFLECTION + ", grpc-other"})
    void aMessageOfAStreamThatDoesNotArriveInTimeEndsTheStream(String path, String route) throws IOException {
        long before = ended(route, "5xx");
        try (Socket socket = new Socket("127.0.0.1", GrpcCaller.port(door))) {
            socket.getOutputStream().write(startOfMessage(path, 10));
            socket.getOutputStream().flush();

            await().until(() -> ended(route, "5xx") == before + 1);
        }
    }

    @Test
    void aMessageOfARequestWithoutATokenMustBeSmall() throws IOException {
        long before = ended("grpc-other", "4xx");
        try (Socket socket = new Socket("127.0.0.1", GrpcCaller.port(door))) {
            socket.getOutputStream().write(startOfMessage(REFLECTION, 1_100));
            socket.getOutputStream().flush();

            await().until(() -> ended("grpc-other", "4xx") == before + 1);
        }
    }

    @Test
    void theMessagesOfALongReflectionDoNotAddUp() {
        RecordedStream<ServerReflectionResponse> responses = new RecordedStream<>();
        StreamObserver<ServerReflectionRequest> requests =
                ServerReflectionGrpc.newStub(caller.channel()).serverReflectionInfo(responses);
        ServerReflectionRequest request = ServerReflectionRequest.newBuilder()
                .setFileContainingSymbol("x".repeat(900))
                .build();
        for (int i = 0; i < 40; i++) {
            requests.onNext(request);
            assertThat(responses.next().hasErrorResponse()).isTrue();
        }

        assertThat(door.get("/metrics").body()).contains("iocluster_door_body_bytes 0.0");
        requests.onCompleted();
        assertThat(responses.end().code()).isEqualTo(Status.Code.OK);
    }

    /** Returns the number of requests of a route that ended with this class of status. */
    private long ended(String route, String status) {
        Matcher count = Pattern.compile("(?m)^iocluster_door_requests_seconds_count\\{route=\"" + route + "\",status=\""
                        + status + "\"} (\\d+)")
                .matcher(door.get("/metrics").body());
        return count.find() ? Long.parseLong(count.group(1)) : 0;
    }

    /** Returns a connection preface and a request with these first bytes of a message of 2,000 bytes. */
    private byte[] startOfMessage(String path, int sent) {
        ByteArrayOutputStream headers = new ByteArrayOutputStream();
        addHeader(headers, ":method", "POST");
        addHeader(headers, ":scheme", "http");
        addHeader(headers, ":path", path);
        addHeader(headers, ":authority", "127.0.0.1:" + GrpcCaller.port(door));
        addHeader(headers, "content-type", "application/grpc");
        addHeader(headers, "te", "trailers");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(PREFACE.getBytes(StandardCharsets.US_ASCII));
        bytes.writeBytes(SETTINGS);
        bytes.writeBytes(new byte[] {0, 0, (byte) headers.size(), 1, 4, 0, 0, 0, 1});
        bytes.writeBytes(headers.toByteArray());
        int data = sent + 5;
        bytes.writeBytes(new byte[] {0, (byte) (data >> 8), (byte) data, 0, 0, 0, 0, 0, 1});
        bytes.writeBytes(new byte[] {0, 0, 0, (byte) (2_000 >> 8), (byte) 2_000});
        bytes.writeBytes(new byte[sent]);
        return bytes.toByteArray();
    }

    /** Adds a header as a literal without a place in the table (RFC 7541, section 6.2.2). */
    private static void addHeader(ByteArrayOutputStream headers, String name, String value) {
        headers.write(0);
        headers.write(name.length());
        headers.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
        headers.write(value.length());
        headers.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void theMessagesOfAllRequestsAreLimitedTogether() {
        // A separate target, because a target holds no request after its first release.
        try (DoorFixture full = new DoorFixture(SMALL_LIMITS);
                GrpcCaller client = new GrpcCaller(full)) {
            Envelope large = withBody(client, "/held", 3_500);
            List<RecordedStream<Answer>> held = new ArrayList<>();
            for (String app : List.of("shop", "billing")) {
                held.add(start(client, large, "iocluster-app", app));
            }
            await().until(() -> full.get("/metrics").body().contains("iocluster_door_in_flight 2.0"));

            Refusal refusal = refusal(() -> client.calls().call(large));
            full.target.releaseHeld();

            assertThat(refusal.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(refusal.trailer("iocluster-code")).isEqualTo("door-full");
            assertThat(refusal.trailer("retry-after")).isEqualTo("1");
            assertThat(held)
                    .allSatisfy(each -> assertThat(each.next().getStatus()).isEqualTo(200));
        }
    }

    @Test
    void theBytesOfACompressedMessageCountAsItsTextToo() {
        RecordedStream<Answer> answer = new RecordedStream<>();
        caller.async().withCompression("gzip").call(withBody("/held?id=compressed", 3_500), answer);
        await().until(() -> door.get("/metrics").body().contains("iocluster_door_in_flight 1.0"));

        double held = Pattern.compile("(?m)^iocluster_door_body_bytes ([0-9.E]+)")
                .matcher(door.get("/metrics").body())
                .results()
                .mapToDouble(match -> Double.parseDouble(match.group(1)))
                .sum();
        door.target.releaseHeld();

        // The JSON, and the envelope that was read from it.
        assertThat(held).isGreaterThan(2 * 3_500);
        assertThat(answer.next().getStatus()).isEqualTo(200);
    }

    private static RecordedStream<Answer> start(GrpcCaller client, Envelope envelope, String... metadata) {
        RecordedStream<Answer> answer = new RecordedStream<>();
        client.async(metadata).call(envelope, answer);
        return answer;
    }

    @Test
    void aFloodOfRequestsWaitsAtItsClient() {
        int before = (int) door.targetRequests();
        List<RecordedStream<Answer>> flood = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            flood.add(start(caller, caller.envelope("/delay?ms=20")));
        }

        assertThat(flood).allSatisfy(each -> assertThat(each.next().getStatus()).isEqualTo(200));
        assertThat(door.targetRequests()).isEqualTo(before + 50L);
        assertThat(door.target.requestLog().peakOpen()).isLessThanOrEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /v1/calls HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n",
                PREFACE + "not frames at all, but a text"
            })
    void aConnectionThatDoesNotSpeakHttp2IsClosed(String bytes) throws IOException {
        assertThat(exchange(bytes.getBytes(StandardCharsets.ISO_8859_1))).doesNotContain("HTTP/1.1 200");
    }

    @Test
    void aClientThatPingsTooOftenIsDisconnected() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(PREFACE.getBytes(StandardCharsets.US_ASCII));
        bytes.writeBytes(SETTINGS);
        for (int i = 0; i < 10; i++) {
            bytes.writeBytes(PING);
        }

        assertThat(exchange(bytes.toByteArray())).contains("too_many_pings");
    }

    @Test
    void connectionsBeyondTheLimitAreClosed() throws IOException {
        List<Socket> open = new ArrayList<>();
        try {
            boolean closed = false;
            for (int i = 0; i < 8 && !closed; i++) {
                Socket socket = new Socket("127.0.0.1", GrpcCaller.port(door));
                open.add(socket);
                socket.setSoTimeout(60_000);
                closed = isClosed(socket);
            }
            assertThat(open).hasSizeLessThanOrEqualTo(8);
            assertThat(closed).isTrue();
        } finally {
            for (Socket each : open) {
                each.close();
            }
        }
    }

    /** Starts to speak HTTP/2. The server answers with its settings, unless it closes the connection, perhaps while the client writes. */
    private static boolean isClosed(Socket socket) throws IOException {
        try {
            socket.getOutputStream().write(PREFACE.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(SETTINGS);
            return socket.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    /** Sends bytes, and returns what arrives until the door closes the connection. */
    private String exchange(byte[] bytes) throws IOException {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        try (Socket socket = new Socket("127.0.0.1", GrpcCaller.port(door))) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            byte[] part = new byte[1_024];
            for (int read = socket.getInputStream().read(part);
                    read >= 0;
                    read = socket.getInputStream().read(part)) {
                received.write(part, 0, read);
            }
        } catch (SocketException reset) {
            // Closed too.
        }
        return received.toString(StandardCharsets.ISO_8859_1);
    }
}
