package io.iocluster.node.door.grpc;

import static io.iocluster.node.door.grpc.GrpcCaller.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.MetadataUtils;
import io.iocluster.node.door.DoorFixture;
import io.iocluster.node.door.grpc.GrpcCaller.Refusal;
import io.iocluster.v1.Answer;
import io.iocluster.v1.Envelope;
import io.iocluster.v1.GetCallRequest;
import io.iocluster.v1.GetCallResponse;
import io.iocluster.v1.Header;
import io.iocluster.v1.Method;
import io.iocluster.v1.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Calls over gRPC, with real sockets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrpcCallsTest {

    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private DoorFixture door;
    private GrpcCaller caller;

    @BeforeAll
    void start() {
        door = new DoorFixture(GrpcCaller.ENABLED);
        caller = new GrpcCaller(door);
        // The first call of a process is slow.
        caller.calls().call(caller.envelope("/ok"));
    }

    @AfterAll
    void stop() {
        caller.close();
        door.close();
    }

    @Test
    void aCallReturnsTheAnswerOfTheTarget() {
        Envelope envelope = caller.envelope("/echo").toBuilder()
                .setId("order-1")
                .setMethod(Method.METHOD_POST)
                .addHeaders(header("X-Tag", "a"))
                .addHeaders(header("X-Tag", "b"))
                .setBinaryBody(ByteString.copyFromUtf8("text"))
                .setContext("{\"exact\": 9007199254740993}")
                .build();

        Answer answer = caller.calls().call(envelope);

        assertThat(answer.getId()).isEqualTo("order-1");
        assertThat(answer.getOutcome()).isEqualTo(Outcome.OUTCOME_ANSWERED);
        assertThat(answer.getStatus()).isEqualTo(200);
        assertThat(answer.getBody()).contains("\"method\":\"POST\"", "\"x-tag\":\"a, b\"", "\"body\":\"text\"");
        assertThat(answer.getHeadersList()).contains(header("content-type", "application/json"));
        assertThat(answer.getContext()).isEqualTo("{\"exact\":9007199254740993}");
        assertThat(answer.getNode()).isEqualTo("door-1");
    }

    private static Header header(String name, String value) {
        return Header.newBuilder().setName(name).setValue(value).build();
    }

    @Test
    void aForbiddenCallIsRejected() {
        Envelope forbidden = Envelope.newBuilder()
                .setUrl("http://169.254.169.254/latest/meta-data")
                .build();

        Refusal refusal = refusal(() -> caller.calls().call(forbidden));

        assertThat(refusal.code()).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal.trailer("iocluster-code")).isEqualTo("address-not-allowed");
    }

    @Test
    void anInvalidEnvelopeIsRefused() {
        assertRefused(Envelope.getDefaultInstance(), "invalid-url");
        assertRefused(caller.envelope("/ok").toBuilder().setDeadlineMs(-1).build(), "invalid-timeout");
        assertRefused(caller.envelope("/ok").toBuilder().setMethodValue(99).build(), "invalid-envelope");
        assertRefused(caller.envelope("/ok").toBuilder().setAuth("none").build(), "unknown-credential");
        assertRefused(caller.envelope("/ok").toBuilder().setReplyTo("queue").build(), "invalid-envelope");
        assertRefused(caller.envelope("/ok").toBuilder().setContext("1, 2").build(), "invalid-envelope");
        UnknownFieldSet newer = UnknownFieldSet.newBuilder()
                .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                .build();
        assertRefused(caller.envelope("/ok").toBuilder().setUnknownFields(newer).build(), "unknown-field");
    }

    private void assertRefused(Envelope envelope, String code) {
        Refusal refusal = refusal(() -> caller.calls().call(envelope));

        assertThat(refusal.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(refusal.trailer("iocluster-code")).isEqualTo(code);
        assertThat(refusal.trailer("retry-after")).isNull();
    }

    @Test
    void theDeadlineOfTheRequestIsThatOfTheCall() {
        Answer answer = GrpcCaller.beforeItsDeadline(
                () -> caller.calls().withDeadlineAfter(1, TimeUnit.SECONDS).call(caller.envelope("/never")));

        assertThat(answer.getOutcome()).isEqualTo(Outcome.OUTCOME_EXPIRED);
        assertThat(answer.getTiming().getTotalMs()).isLessThan(1_000);
    }

    @Test
    void theShorterDeadlineCounts() {
        Envelope shorter =
                caller.envelope("/never").toBuilder().setDeadlineMs(200).build();
        Envelope longer = shorter.toBuilder().setDeadlineMs(60_000).build();

        assertThat(caller.calls().call(shorter).getOutcome()).isEqualTo(Outcome.OUTCOME_EXPIRED);
        Answer answer = GrpcCaller.beforeItsDeadline(
                () -> caller.calls().withDeadlineAfter(1, TimeUnit.SECONDS).call(longer));
        assertThat(answer.getOutcome()).isEqualTo(Outcome.OUTCOME_EXPIRED);
    }

    @Test
    void anAsynchronousCallIsPendingUntilItsAnswerIsThere() {
        Duration deadline = Duration.ofSeconds(3);
        // A separate target, because a target holds no request after its first release.
        try (DoorFixture own = new DoorFixture(GrpcCaller.ENABLED);
                GrpcCaller client = new GrpcCaller(own)) {
            Envelope envelope =
                    client.envelope("/held").toBuilder().setId("async/1 ü").build();

            String id = client.calls()
                    .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                    .callAsync(envelope)
                    .getId();
            long start = System.nanoTime();
            GetCallResponse pending = client.calls().getCall(get(id, 0));
            // The deadline of the request does not end the call.
            await().until(() -> System.nanoTime() - start > deadline.toNanos());
            own.target.releaseHeld();
            GetCallResponse ended = client.calls().getCall(get(id, 10_000));
            Refusal again = refusal(() -> client.calls().callAsync(envelope));

            assertThat(id).isEqualTo("async/1 ü");
            assertThat(pending.hasAnswer()).isFalse();
            assertThat(ended.getAnswer().getId()).isEqualTo(id);
            assertThat(ended.getAnswer().getStatus()).isEqualTo(200);
            assertThat(again.code()).isEqualTo(Status.Code.ALREADY_EXISTS);
            assertThat(again.trailer("iocluster-code")).isEqualTo("id-in-use");
        }
    }

    @Test
    void aWaitEndsBeforeTheDeadlineOfItsRequest() {
        String id = caller.calls().callAsync(caller.envelope("/held?id=waited")).getId();

        GetCallResponse pending = GrpcCaller.beforeItsDeadline(() ->
                caller.calls().withDeadlineAfter(500, TimeUnit.MILLISECONDS).getCall(get(id, 10_000)));

        assertThat(pending.hasAnswer()).isFalse();
        door.target.releaseHeld();
    }

    /** An envelope for a target that does not answer, whose call ends soon after the test. */
    private Envelope shortNever() {
        return caller.envelope("/never").toBuilder().setDeadlineMs(3_000).build();
    }

    @Test
    void theAnswersOfAnotherAppAreUnknown() {
        String id = caller.calls("iocluster-app", "billing")
                .callAsync(caller.envelope("/ok"))
                .getId();

        Refusal unknown = refusal(() -> caller.calls("iocluster-app", "shop").getCall(get(id, 0)));

        assertThat(unknown.code()).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(unknown.trailer("iocluster-code")).isEqualTo("unknown-call");
        assertThat(caller.calls("iocluster-app", "billing")
                        .getCall(get(id, 10_000))
                        .getAnswer()
                        .getStatus())
                .isEqualTo(200);
        assertThat(refusal(() -> caller.calls().getCall(get(id, -1))).code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    private static GetCallRequest get(String id, long waitMs) {
        return GetCallRequest.newBuilder().setId(id).setWaitMs(waitMs).build();
    }

    @Test
    void theTraceContextReachesTheTargetAndComesBack() {
        AtomicReference<Metadata> trailers = new AtomicReference<>();

        Answer answer = caller.calls("traceparent", TRACE)
                .withInterceptors(MetadataUtils.newCaptureMetadataInterceptor(new AtomicReference<>(), trailers))
                .call(caller.envelope("/echo"));

        assertThat(answer.getBody()).contains(TRACE);
        assertThat(trailers.get().get(GrpcCaller.key("traceparent"))).isEqualTo(TRACE);
    }

    @Test
    void aCancelledRequestIsRecordedAsAnErrorOfTheCaller() {
        var call = caller.channel().newCall(io.iocluster.v1.CallsGrpc.getCallMethod(), io.grpc.CallOptions.DEFAULT);
        long before = door.targetRequests();
        io.grpc.stub.ClientCalls.futureUnaryCall(call, shortNever());
        await().until(() -> door.targetRequests() > before);

        call.cancel("no longer needed", null);

        await().until(() ->
                metrics().contains("iocluster_door_requests_seconds_count{route=\"grpc-call\",status=\"4xx\"}"));
    }

    @Test
    void requestsAreMeasured() {
        caller.calls().call(caller.envelope("/ok"));

        await().until(() ->
                metrics().contains("iocluster_door_requests_seconds_count{route=\"grpc-call\",status=\"2xx\"}"));
        await().until(() -> metrics().contains("iocluster_door_body_bytes 0.0"));
    }

    private String metrics() {
        return door.get("/metrics").body();
    }

    @Test
    void aHealthCheckSaysThatTheDoorServes() {
        HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(caller.channel());

        for (String service : List.of("", "iocluster.v1.Calls")) {
            assertThat(health.check(HealthCheckRequest.newBuilder()
                                    .setService(service)
                                    .build())
                            .getStatus())
                    .isEqualTo(ServingStatus.SERVING);
        }
    }

    @Test
    void reflectionListsTheServices() {
        RecordedStream<ServerReflectionResponse> responses = new RecordedStream<>();
        var requests = ServerReflectionGrpc.newStub(caller.channel()).serverReflectionInfo(responses);

        requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());

        ServerReflectionResponse response = responses.next();
        requests.onCompleted();
        assertThat(response.getListServicesResponse().getServiceList())
                .extracting(ServiceResponse::getName)
                .contains("iocluster.v1.Calls", "grpc.health.v1.Health");
    }

    /** Older tools know only this version. */
    @Test
    void reflectionOfTheOlderVersionListsTheServices() {
        RecordedStream<io.grpc.reflection.v1alpha.ServerReflectionResponse> responses = new RecordedStream<>();
        var requests = io.grpc.reflection.v1alpha.ServerReflectionGrpc.newStub(caller.channel())
                .serverReflectionInfo(responses);

        requests.onNext(io.grpc.reflection.v1alpha.ServerReflectionRequest.newBuilder()
                .setListServices("")
                .build());

        io.grpc.reflection.v1alpha.ServerReflectionResponse response = responses.next();
        requests.onCompleted();
        assertThat(response.getListServicesResponse().getServiceList())
                .extracting(io.grpc.reflection.v1alpha.ServiceResponse::getName)
                .contains("iocluster.v1.Calls", "grpc.reflection.v1.ServerReflection");
    }
}
