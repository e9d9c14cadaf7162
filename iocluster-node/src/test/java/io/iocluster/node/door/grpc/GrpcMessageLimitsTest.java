package io.iocluster.node.door.grpc;

import static io.iocluster.node.door.grpc.GrpcCaller.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.iocluster.node.door.DoorFixture;
import io.iocluster.node.door.grpc.GrpcCaller.Refusal;
import io.iocluster.v1.Answer;
import io.iocluster.v1.Branch;
import io.iocluster.v1.CallResult;
import io.iocluster.v1.CallsGrpc;
import io.iocluster.v1.Envelope;
import io.iocluster.v1.GetCallRequest;
import io.iocluster.v1.Header;
import io.iocluster.v1.Method;
import io.iocluster.v1.Scalar;
import io.iocluster.v1.Usable;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Collections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages that are malformed, too large, or would need much more memory than their bytes: each is refused with a code. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrpcMessageLimitsTest {

    private DoorFixture door;
    private GrpcCaller caller;

    @BeforeAll
    void start() {
        door = new DoorFixture("grpc: {enabled: true, port: 0, max-entries: 50}, limits: {max-body: 8KiB}");
        caller = new GrpcCaller(door);
    }

    @AfterEach
    void theDoorStillServes() {
        assertThat(caller.calls().call(caller.envelope("/ok")).getStatus()).isEqualTo(200);
    }

    @AfterAll
    void stop() {
        caller.close();
        door.close();
    }

    static Envelope[] manyEntries() {
        Envelope url = Envelope.newBuilder().setUrl("http://127.0.0.1/").build();
        return new Envelope[] {
            url.toBuilder()
                    .addAllHeaders(Collections.nCopies(51, Header.getDefaultInstance()))
                    .build(),
            Envelope.newBuilder()
                    .addAllAll(Collections.nCopies(51, Branch.getDefaultInstance()))
                    .build(),
            Envelope.newBuilder()
                    .addAny(Branch.newBuilder().addAllHeaders(Collections.nCopies(50, Header.getDefaultInstance())))
                    .build(),
            url.toBuilder()
                    .setUsable(Usable.newBuilder().addAllStatus(Collections.nCopies(51, "2xx")))
                    .build(),
            url.toBuilder()
                    .setUsable(Usable.newBuilder()
                            .setJson(io.iocluster.v1.JsonCondition.newBuilder()
                                    .addAllIn(Collections.nCopies(51, Scalar.getDefaultInstance()))))
                    .build()
        };
    }

    @ParameterizedTest
    @MethodSource("manyEntries")
    void aMessageWithTooManyEntriesIsRefused(Envelope envelope) {
        Refusal refusal = refusal(() -> caller.calls().call(envelope));

        assertThat(refusal.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(refusal.trailer("iocluster-code")).isEqualTo("invalid-envelope");
        assertThat(refusal.status().getDescription()).contains("more than 50 entries", "door.grpc.max-entries");
    }

    @Test
    void aMessageOfAStreamWithTooManyEntriesGetsAProblemAndTheNextOneAnAnswer() {
        RecordedStream<CallResult> results = new RecordedStream<>();
        StreamObserver<Envelope> envelopes = caller.async().streamCalls(results);

        envelopes.onNext(manyEntries()[0]);
        assertThat(results.next().getProblem().getCode()).isEqualTo("invalid-envelope");
        envelopes.onNext(caller.envelope("/ok"));
        assertThat(results.next().getAnswer().getStatus()).isEqualTo(200);
        envelopes.onCompleted();

        assertThat(results.end().code()).isEqualTo(Status.Code.OK);
    }

    @Test
    void aMessageThatIsTooLargeIsRefusedWithACode() {
        assertTooLarge(refusal(() -> caller.calls().call(withBody(20_000))));
    }

    @Test
    void aMessageThatIsTooLargeAfterDecompressionIsRefusedWithACode() {
        assertTooLarge(refusal(() -> caller.calls().withCompression("gzip").call(withBody(20_000))));
    }

    @Test
    void aGetCallThatIsTooLargeIsRefusedWithACode() {
        GetCallRequest large =
                GetCallRequest.newBuilder().setId("x".repeat(20_000)).build();

        assertTooLarge(refusal(() -> caller.calls().getCall(large)));
    }

    @Test
    void aHealthCheckThatIsTooLargeWhenItIsUncompressedIsRefused() {
        HealthCheckRequest large =
                HealthCheckRequest.newBuilder().setService("x".repeat(2_000)).build();

        assertTooLarge(
                refusal(() -> HealthGrpc.newBlockingStub(caller.channel())
                        .withCompression("gzip")
                        .check(large)),
                1_024);
    }

    @Test
    void aMessageOfReflectionThatIsTooLargeWhenItIsUncompressedIsRefused() {
        RecordedStream<ServerReflectionResponse> responses = new RecordedStream<>();
        StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(caller.channel())
                .withCompression("gzip")
                .serverReflectionInfo(responses);

        requests.onNext(ServerReflectionRequest.newBuilder()
                .setFileContainingSymbol("x".repeat(2_000))
                .build());

        assertTooLarge(responses.end(), 1_024);
    }

    private static void assertTooLarge(Refusal refusal) {
        assertTooLarge(refusal, 8_192);
    }

    private static void assertTooLarge(Refusal refusal, int limit) {
        assertThat(refusal.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(refusal.trailer("iocluster-code")).isEqualTo("request-too-large");
        assertThat(refusal.status().getDescription()).contains("more than " + limit + " bytes");
    }

    private Envelope withBody(int bytes) {
        return caller.envelope("/ok").toBuilder()
                .setMethod(Method.METHOD_POST)
                .setBody("x".repeat(bytes))
                .build();
    }

    @Test
    void aMessageThatIsNotProtobufIsRefusedWithACode() {
        Refusal refusal = refusal(() -> send(new byte[] {10, 5, 'a'}));

        assertThat(refusal.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(refusal.trailer("iocluster-code")).isEqualTo("malformed-envelope");
    }

    @Test
    void aFieldOfAnotherTypeIsUnknown() {
        // Field 1, the id, as a number.
        Refusal refusal = refusal(() -> send(new byte[] {8, 1}));

        assertThat(refusal.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(refusal.trailer("iocluster-code")).isEqualTo("unknown-field");
        assertThat(refusal.status().getDescription()).isEqualTo("field 1 of Envelope is unknown");
    }

    private void send(byte[] message) {
        MethodDescriptor<byte[], Answer> method = CallsGrpc.getCallMethod().toBuilder(
                        new Bytes(), CallsGrpc.getCallMethod().getResponseMarshaller())
                .build();
        ClientCalls.blockingUnaryCall(caller.channel(), method, CallOptions.DEFAULT, message);
    }

    /** Sends bytes as they are. */
    private static final class Bytes implements Marshaller<byte[]> {

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            throw new UnsupportedOperationException();
        }
    }
}
