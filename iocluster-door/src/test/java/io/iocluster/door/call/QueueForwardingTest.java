package io.iocluster.door.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.door.call.CallResult.Answered;
import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.CallResult.Reason;
import io.iocluster.door.call.Forwarder.Forwarding;
import io.iocluster.door.call.Forwarder.Publication;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.thread.Platform;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.TraceContext;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class QueueForwardingTest {

    private final SharedTopic topic = new SharedTopic();
    private final ConnectingCalls door = new ConnectingCalls(
            () -> QueueCalls.connect(topic, "door-1", "iocluster-app", 10, Platform.system()), Platform.system());

    @AfterEach
    void close() {
        door.close(Duration.ofSeconds(1));
    }

    private static StoredCall call(Duration left) {
        long now = System.currentTimeMillis();
        return new StoredCall(
                "shop",
                "order-1",
                "order-1~secret",
                "{\"url\": \"http://127.0.0.1/\", \"deadlineMs\": 5, \"context\": {\"n\": 1}}"
                        .getBytes(StandardCharsets.UTF_8),
                new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", null),
                now - 60_000,
                now + left.toMillis());
    }

    private Forwarding forward(Duration left) {
        await().until(door::isConnected);
        return door.forward(call(left));
    }

    private static Publication publication(Forwarding forwarding) {
        return forwarding.published().toCompletableFuture().join();
    }

    private static CallResult result(Forwarding forwarding) {
        return forwarding.result().toCompletableFuture().join();
    }

    @Test
    void aForwardedCallHasItsQueueIdAndTheRestOfItsDeadline() {
        Forwarding forwarding = forward(Duration.ofSeconds(100));
        topic.publish("{\"id\":\"order-1~secret\",\"outcome\":\"answered\",\"status\":200}");

        assertThat(publication(forwarding)).isEqualTo(Publication.CONFIRMED);
        assertThat(new String(((Answered) result(forwarding)).answer(), StandardCharsets.UTF_8))
                .isEqualTo("{\"id\":\"order-1\",\"outcome\":\"answered\",\"status\":200}");
        JsonNode envelope =
                JsonMapper.builder().build().readTree(topic.requests().get(0).envelope());
        assertThat(envelope.path("id").asString("")).isEqualTo("order-1~secret");
        assertThat(envelope.path("deadlineMs").asLong()).isBetween(60_000L, 100_000L);
        assertThat(envelope.at("/context/n").asInt()).isEqualTo(1);
        assertThat(topic.requests().get(0).headers())
                .containsEntry("iocluster-app", "shop")
                .containsKey(TraceContext.TRACEPARENT);
    }

    @Test
    void theKeyOfAForwardedCallIsItsQueueIdSoThatItKeepsItsPartition() {
        forward(Duration.ofSeconds(100));

        assertThat(topic.requests().get(0).key()).isEqualTo("order-1~secret");
    }

    @Test
    void aCallThatWaitsForItsAnswerDoesNotReferenceItsEnvelope() {
        await().until(door::isConnected);
        List<Forwarding> forwarded = new ArrayList<>();

        WeakReference<byte[]> envelope = forwardTo(forwarded);

        await().untilAsserted(() -> {
            System.gc();
            assertThat(envelope.refersTo(null)).isTrue();
        });
        assertThat(publication(forwarded.get(0))).isEqualTo(Publication.CONFIRMED);
        assertThat(forwarded.get(0).result().toCompletableFuture()).isNotDone();
    }

    private WeakReference<byte[]> forwardTo(List<Forwarding> forwarded) {
        StoredCall call = call(Duration.ofMinutes(1));
        forwarded.add(door.forward(call));
        return new WeakReference<>(call.envelope());
    }

    @Test
    void aClockThatWasSetBackDoesNotExtendADeadline() {
        await().until(door::isConnected);
        long accepted = System.currentTimeMillis() + Duration.ofHours(1).toMillis();

        door.forward(new StoredCall(
                "shop",
                "order-1",
                "order-1~secret",
                "{\"url\": \"http://127.0.0.1/\"}".getBytes(StandardCharsets.UTF_8),
                null,
                accepted,
                accepted + 60_000));

        assertThat(topic.requests().get(0).expiry()).isLessThanOrEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void aCallThatTheBrokerMayNotHaveIsNotConfirmed() {
        topic.publishResult(CompletableFuture.completedFuture(new PublishResult.Failed("no leader")));

        assertThat(publication(forward(Duration.ofMinutes(1)))).isEqualTo(Publication.NOT_CONFIRMED);
    }

    @Test
    void theLogSaysThatACallWithoutAConfirmationIsForwardedAgain() {
        topic.publishResult(CompletableFuture.completedFuture(new PublishResult.Failed("no leader")));
        try (CapturedLog log = CapturedLog.of(QueueCalls.class)) {
            result(forward(Duration.ofMinutes(1)));

            assertThat(log.messages())
                    .anyMatch(line -> line.startsWith("Call not put on the queue; it is forwarded again app=shop"));
        }
    }

    @Test
    void aMissingTopicMayBeCreatedSoThatTheCallIsForwardedAgain() {
        topic.publishResult(CompletableFuture.completedFuture(new PublishResult.UnknownTopicOrQueue("requests")));

        assertThat(publication(forward(Duration.ofMinutes(1)))).isEqualTo(Publication.NOT_CONFIRMED);
    }

    @Test
    void aCallThatIsTooLargeForTheBrokerEnds() {
        topic.publishResult(CompletableFuture.completedFuture(new PublishResult.TooLarge("more than 1 MiB")));
        Forwarding forwarding = forward(Duration.ofMinutes(1));

        assertThat(publication(forwarding)).isEqualTo(Publication.ENDED);
        assertThat(((Failed) result(forwarding)).reason()).isEqualTo(Reason.UNAVAILABLE);
    }

    @Test
    void aCallWhoseDeadlinePassesBeforeTheConfirmationEnds() {
        topic.publishResult(new CompletableFuture<>());
        Forwarding forwarding = forward(Duration.ofMillis(50));

        assertThat(publication(forwarding)).isEqualTo(Publication.ENDED);
        assertThat(((Failed) result(forwarding)).reason()).isEqualTo(Reason.EXPIRED);
    }

    @Test
    void aCallWhoseDeadlineHasPassedIsNotPublished() {
        Forwarding forwarding = forward(Duration.ZERO);

        assertThat(publication(forwarding)).isEqualTo(Publication.ENDED);
        assertThat(topic.requests()).isEmpty();
    }

    @Test
    void anUnconfirmedCallOfADoorThatStopsIsForwardedAgain() {
        topic.publishResult(new CompletableFuture<>());
        Forwarding forwarding = forward(Duration.ofMinutes(1));

        door.close(Duration.ZERO);

        assertThat(publication(forwarding)).isEqualTo(Publication.NOT_CONFIRMED);
    }

    @Test
    void aDamagedEnvelopeIsRefused() {
        await().until(door::isConnected);
        StoredCall damaged = new StoredCall("shop", "1", "1~s", new byte[] {'{'}, null, 0, Long.MAX_VALUE / 2);

        assertThatThrownBy(() -> door.forward(damaged)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aDoorConnectsAgainAfterAnError() {
        AtomicBoolean failed = new AtomicBoolean();
        ConnectingCalls connecting = new ConnectingCalls(
                () -> {
                    if (failed.compareAndSet(false, true)) {
                        throw new OutOfMemoryError("of this test");
                    }
                    return QueueCalls.connect(topic, "door-2", "", 10, Platform.system());
                },
                Platform.system());
        try {
            await().until(connecting::isConnected);
        } finally {
            connecting.close(Duration.ofSeconds(1));
        }
    }

    @Test
    void aDoorConnectsAsSoonAsTheBrokerIsThere() {
        topic.unreachable(new IOException("connection refused"));
        ConnectingCalls waiting = new ConnectingCalls(
                () -> QueueCalls.connect(topic, "door-2", "", 10, Platform.system()), Platform.system());
        try {
            await().until(() -> waiting.problem() != null);
            RequestEnvelope envelope = new RequestEnvelope(
                    "1",
                    "GET",
                    "http://127.0.0.1/",
                    List.of(),
                    null,
                    0,
                    0,
                    0,
                    null,
                    null,
                    ReplyMode.ALWAYS,
                    null,
                    null);
            CallResult early = waiting.call(new DoorCall("1", envelope, null, Duration.ofMinutes(1), "shop", null))
                    .toCompletableFuture()
                    .join();
            assertThat(((Failed) early).reason()).isEqualTo(Reason.UNAVAILABLE);

            topic.unreachable(null);

            await().until(waiting::isConnected);
            assertThat(waiting.problem()).isNull();
        } finally {
            waiting.close(Duration.ofSeconds(1));
        }
    }
}
