package io.iocluster.door.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.door.call.CallResult.Answered;
import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.CallResult.Reason;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueCallsTest {

    private final SharedTopic topic = new SharedTopic();
    private QueueCalls door;
    private QueueCalls otherDoor;

    @BeforeEach
    void connect() throws IOException {
        door = QueueCalls.connect(topic, "door-1", "", 10, Platform.system());
        otherDoor = QueueCalls.connect(topic, "door-2", "", 10, Platform.system());
    }

    @AfterEach
    void close() {
        door.close(Duration.ofSeconds(1));
        otherDoor.close(Duration.ofSeconds(1));
    }

    @Test
    void aCallerGetsItsOwnAnswerIfAnotherDoorHasACallWithTheSameId() {
        CompletableFuture<CallResult> shop = start(door, "shop", "order-1");
        CompletableFuture<CallResult> billing = start(otherDoor, "billing", "order-1");

        topic.publish("{\"id\":\"" + topic.queueId(0) + "\",\"outcome\":\"answered\",\"status\":200}");
        topic.publish("{\"id\":\"" + topic.queueId(1) + "\",\"outcome\":\"answered\",\"status\":201}");

        assertThat(answer(shop)).isEqualTo("{\"id\":\"order-1\",\"outcome\":\"answered\",\"status\":200}");
        assertThat(answer(billing)).isEqualTo("{\"id\":\"order-1\",\"outcome\":\"answered\",\"status\":201}");
    }

    @Test
    void aLateAnswerDoesNotEndALaterCallWithTheSameId() {
        CompletableFuture<CallResult> expired =
                door.call(call("shop", "order-1", Duration.ofMillis(1))).toCompletableFuture();
        assertThat(failure(expired).reason()).isEqualTo(Reason.EXPIRED);
        CompletableFuture<CallResult> later = start(door, "billing", "order-1");

        topic.publish("{\"id\":\"" + topic.queueId(0) + "\",\"outcome\":\"answered\",\"status\":200}");
        topic.publish("{\"id\":\"" + topic.queueId(1) + "\",\"outcome\":\"answered\",\"status\":201}");

        assertThat(answer(later)).contains("201");
    }

    @Test
    void aCallerLearnsNoNameOfTheBroker() {
        CompletableFuture<CallResult> expired =
                door.call(call("shop", "order-1", Duration.ofMillis(1))).toCompletableFuture();
        topic.refuse("topic iocluster.requests at kafka.internal:9092 is not available");
        CompletableFuture<CallResult> refused = start(door, "shop", "order-2");

        assertThat(failure(expired).reason()).isEqualTo(Reason.EXPIRED);
        assertThat(failure(expired).message())
                .startsWith("no answer within 1ms")
                .doesNotContain("127.0.0.1:1");
        assertThat(failure(refused).reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(failure(refused).message()).doesNotContain("iocluster.requests", "kafka.internal");
    }

    @Test
    void anAnswerIsOnOneLineWhateverItsFormat() {
        CompletableFuture<CallResult> idFirst = start(door, "shop", "a\"b");
        CompletableFuture<CallResult> idLast = start(door, "shop", "order-2");

        topic.publish("{\"id\":\"a\\\"b" + topic.queueId(0).substring(3) + "\",\r\n\"outcome\":\"answered\"}\n");
        topic.publish("{\n  \"outcome\": \"answered\",\n  \"id\": \"" + topic.queueId(1) + "\"\n}");

        assertThat(answer(idFirst)).isEqualTo("{\"id\":\"a\\\"b\",  \"outcome\":\"answered\"} ");
        assertThat(answer(idLast)).isEqualTo("{\"outcome\":\"answered\",\"id\":\"order-2\"}");
    }

    @Test
    void anAnswerThatIsNotJsonIsNoAnswer() {
        CompletableFuture<CallResult> call = start(door, "shop", "order-1");

        topic.publish("{ \"id\": \"" + topic.queueId(0) + "\", \"outcome\": ");

        assertThat(failure(call).reason()).isEqualTo(Reason.INVALID_ANSWER);
    }

    @ParameterizedTest
    @CsvSource({"no, 0, true", "no, 1, false", "maybe, 1, false"})
    void aRejectedCallHasNoAnswerIfItWasNotTried(String sent, int attempts, boolean untried) {
        CompletableFuture<CallResult> call = start(door, "shop", "order-1");

        topic.publish("{\"id\":\"" + topic.queueId(0)
                + "\",\"outcome\":\"rejected\",\"error\":{\"code\":\"host-not-allowed\","
                + "\"message\":\"m\",\"sent\":\"" + sent + "\"},\"attempts\":" + attempts + "}");

        assertThat(call.join()).isInstanceOf(untried ? Failed.class : Answered.class);
    }

    @Test
    void anIdIsRepeatedOnTheQueueUnlessItIsLong() {
        start(door, "shop", "order-1");
        start(door, "shop", "x".repeat(1_024));

        assertThat(topic.queueId(0)).startsWith("order-1~");
        assertThat(topic.queueId(1)).doesNotContain("x").hasSize(36);
    }

    private static CompletableFuture<CallResult> start(QueueCalls calls, String app, String id) {
        return calls.call(call(app, id, Duration.ofMinutes(1))).toCompletableFuture();
    }

    private static DoorCall call(String app, String id, Duration deadline) {
        RequestEnvelope envelope = new RequestEnvelope(
                id, "GET", "http://127.0.0.1/", List.of(), null, 0, 0, 0, null, null, ReplyMode.ALWAYS, null, null);
        return new DoorCall(id, envelope, null, deadline, app, null);
    }

    private static String answer(CompletableFuture<CallResult> result) {
        return new String(((Answered) result.join()).answer(), StandardCharsets.UTF_8);
    }

    private static Failed failure(CompletableFuture<CallResult> result) {
        return (Failed) result.join();
    }
}
