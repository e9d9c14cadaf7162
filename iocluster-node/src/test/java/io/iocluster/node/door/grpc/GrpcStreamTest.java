package io.iocluster.node.door.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.iocluster.node.door.DoorFixture;
import io.iocluster.node.door.grpc.GrpcCaller.Refusal;
import io.iocluster.v1.CallResult;
import io.iocluster.v1.Envelope;
import io.iocluster.v1.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Streams of calls over gRPC, with real sockets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrpcStreamTest {

    private DoorFixture door;
    private GrpcCaller caller;

    @BeforeAll
    void start() {
        door = new DoorFixture(GrpcCaller.ENABLED + ", limits: {batch-in-flight: 2}");
        caller = new GrpcCaller(door);
    }

    @AfterAll
    void stop() {
        caller.close();
        door.close();
    }

    @Test
    void eachResultComesAsItsCallEnds() {
        RecordedStream<CallResult> results = new RecordedStream<>();
        StreamObserver<Envelope> requests = caller.async().streamCalls(results);

        requests.onNext(
                caller.envelope("/held?id=slow").toBuilder().setId("slow").build());
        requests.onNext(caller.envelope("/ok").toBuilder().setId("fast").build());
        CallResult first = results.next();
        door.target.releaseHeld();
        CallResult second = results.next();
        requests.onNext(Envelope.newBuilder().setId("bad").build());
        CallResult third = results.next();
        requests.onNext(caller.envelope("/ok"));
        CallResult fourth = results.next();
        requests.onCompleted();

        assertThat(List.of(first.getId(), second.getId())).containsExactly("fast", "slow");
        assertThat(List.of(first.getPosition(), second.getPosition())).containsExactly(2L, 1L);
        assertThat(first.getAnswer().getStatus()).isEqualTo(200);
        assertThat(third.getId()).isEqualTo("bad");
        assertThat(third.getProblem().getCode()).isEqualTo("invalid-url");
        assertThat(third.getProblem().getStatus()).isEqualTo(Status.Code.INVALID_ARGUMENT.value());
        assertThat(fourth.getPosition()).isEqualTo(4);
        assertThat(fourth.getAnswer().getStatus()).isEqualTo(200);
        assertThat(results.end().code()).isEqualTo(Status.Code.OK);
    }

    @Test
    void theDeadlineOfAStreamDoesNotLengthenItsCalls() {
        try (DoorFixture door = new DoorFixture(GrpcCaller.ENABLED + ", deadline: 300ms");
                GrpcCaller client = new GrpcCaller(door)) {
            RecordedStream<CallResult> results = new RecordedStream<>();
            StreamObserver<Envelope> requests =
                    client.async().withDeadlineAfter(10, TimeUnit.MINUTES).streamCalls(results);

            requests.onNext(client.envelope("/held?id=late"));

            assertThat(results.next().getAnswer().getError().getCode()).isEqualTo("deadline-exceeded");
            door.target.releaseHeld();
        }
    }

    @Test
    void aRefusedEnvelopeIsCountedOnceForItsApp() {
        try (DoorFixture counting = new DoorFixture(GrpcCaller.ENABLED);
                GrpcCaller client = new GrpcCaller(counting)) {
            RecordedStream<CallResult> results = new RecordedStream<>();
            StreamObserver<Envelope> requests = client.async().streamCalls(results);
            requests.onNext(Envelope.newBuilder().setId("bad").build());
            requests.onCompleted();

            assertThat(results.end().code()).isEqualTo(Status.Code.OK);
            await().until(() -> counting.get("/metrics")
                    .body()
                    .contains("iocluster_door_problems_total{code=\"invalid-url\"} 1.0"));
        }
    }

    @Test
    void furtherEnvelopesWaitWhileTheLimitOfOpenCallsIsReached() {
        try (DoorFixture held = new DoorFixture(GrpcCaller.ENABLED + ", limits: {batch-in-flight: 2}");
                GrpcCaller client = new GrpcCaller(held)) {
            RecordedStream<CallResult> results = new RecordedStream<>();
            StreamObserver<Envelope> requests = client.async().streamCalls(results);
            for (int i = 0; i < 10; i++) {
                requests.onNext(client.envelope("/held?id=" + i));
            }
            requests.onCompleted();

            await().until(() -> held.target.requestLog().open() == 2);
            // A request of another connection shows that the door is idle.
            client.calls().call(client.envelope("/ok"));
            assertThat(held.targetRequests()).isEqualTo(3);
            held.target.releaseHeld();

            assertThat(results.end().code()).isEqualTo(Status.Code.OK);
            assertThat(results.waiting()).isEqualTo(10);
            await().until(() -> held.get("/metrics").body().contains("iocluster_door_body_bytes 0.0"));
        }
    }

    @Test
    void aSlowReaderSlowsTheCalls() {
        try (DoorFixture slow = new DoorFixture(GrpcCaller.ENABLED + ", limits: {batch-in-flight: 2}");
                GrpcCaller client = new GrpcCaller(slow, options -> options.flowControlWindow(65_535))) {
            SlowReader reader = new SlowReader();
            client.async().streamCalls(reader);
            for (int i = 0; i < 20; i++) {
                reader.requests.onNext(client.envelope("/body?bytes=200000"));
            }
            reader.requests.onCompleted();

            // The connection takes the first answer, and two more calls are open until it takes theirs.
            await().until(() -> slow.targetRequests() == 3);
            await().during(Duration.ofMillis(300)).until(() -> slow.targetRequests() == 3);
            reader.requests.request(20);

            assertThat(reader.end.orTimeout(1, TimeUnit.MINUTES).join()).hasSize(20);
        }
    }

    @Test
    void aStreamWhoseResultsWereReadMayWaitForTheNextOneLongerThanTheReadTimeout() {
        try (DoorFixture impatient = new DoorFixture(GrpcCaller.ENABLED + ", limits: {read-timeout: 500ms}");
                GrpcCaller client = new GrpcCaller(impatient)) {
            RecordedStream<CallResult> results = new RecordedStream<>();
            StreamObserver<Envelope> requests = client.async().streamCalls(results);
            requests.onNext(client.envelope("/ok"));
            CallResult read = results.next();
            // The door looks for callers that do not read each second.
            requests.onNext(client.envelope("/delay?ms=3000"));
            requests.onCompleted();

            assertThat(read.getAnswer().getStatus()).isEqualTo(200);
            assertThat(results.next().getAnswer().getStatus()).isEqualTo(200);
            assertThat(results.end().code()).isEqualTo(Status.Code.OK);
            assertThat(impatient.get("/metrics").body()).contains("iocluster_door_slow_callers_total 0.0");
        }
    }

    /** Reads only what it asks for. */
    private static final class SlowReader implements ClientResponseObserver<Envelope, CallResult> {
        private final CompletableFuture<List<CallResult>> end = new CompletableFuture<>();
        private final List<CallResult> results = new ArrayList<>();
        private ClientCallStreamObserver<Envelope> requests;

        @Override
        public void beforeStart(ClientCallStreamObserver<Envelope> stream) {
            requests = stream;
            stream.disableAutoRequestWithInitial(0);
        }

        @Override
        public void onNext(CallResult result) {
            results.add(result);
        }

        @Override
        public void onError(Throwable failure) {
            end.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            end.complete(results);
        }
    }

    @Test
    void theDeadlineOfTheStreamEndsItsCalls() {
        CallResult result = GrpcCaller.beforeItsDeadline(() -> {
            RecordedStream<CallResult> results = new RecordedStream<>();
            StreamObserver<Envelope> requests =
                    caller.async().withDeadlineAfter(1, TimeUnit.SECONDS).streamCalls(results);
            requests.onNext(caller.envelope("/never"));
            requests.onCompleted();
            return results.nextUnlessEnded();
        });

        assertThat(result.getAnswer().getOutcome()).isEqualTo(Outcome.OUTCOME_EXPIRED);
    }

    @Test
    void aStreamEndsAtItsLongestDuration() {
        try (DoorFixture brief = new DoorFixture(GrpcCaller.ENABLED + ", limits: {batch-duration: 3s}");
                GrpcCaller client = new GrpcCaller(brief)) {
            RecordedStream<CallResult> results = new RecordedStream<>();
            StreamObserver<Envelope> requests = client.async().streamCalls(results);
            requests.onNext(client.envelope("/delay?ms=4000"));

            Refusal end = results.end();

            assertThat(results.next().getAnswer().getStatus()).isEqualTo(200);
            assertThat(end.code()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(end.trailer("iocluster-code")).isEqualTo("stream-ended");
        }
    }

    @Test
    void aDoorThatStopsEndsItsStreamsAfterTheirOpenCalls() throws Exception {
        try (DoorFixture stopping = new DoorFixture(GrpcCaller.ENABLED);
                GrpcCaller client = new GrpcCaller(stopping)) {
            RecordedStream<CallResult> busy = new RecordedStream<>();
            RecordedStream<CallResult> idle = new RecordedStream<>();
            StreamObserver<Envelope> requests = client.async().streamCalls(busy);
            client.async().streamCalls(idle);
            requests.onNext(client.envelope("/held?id=last"));
            await().until(() -> stopping.target.requestLog().open() == 1);
            CompletableFuture<Boolean> drained = CompletableFuture.supplyAsync(() -> {
                try {
                    return stopping.door.drain();
                } catch (InterruptedException interrupted) {
                    throw new IllegalStateException(interrupted);
                }
            });

            Refusal idleEnd = idle.end();
            Refusal refused = GrpcCaller.refusal(() -> client.calls().call(client.envelope("/ok")));
            stopping.target.releaseHeld();

            assertThat(idleEnd.code()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(idleEnd.trailer("iocluster-code")).isEqualTo("draining");
            assertThat(refused.code()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(refused.trailer("iocluster-code")).isEqualTo("draining");
            assertThat(busy.next().getAnswer().getStatus()).isEqualTo(200);
            assertThat(busy.end().trailer("iocluster-code")).isEqualTo("draining");
            assertThat(drained.get(1, TimeUnit.MINUTES)).isTrue();
        }
    }
}
