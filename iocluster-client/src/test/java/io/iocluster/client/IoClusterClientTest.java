package io.iocluster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import io.iocluster.client.CallTimeoutException.CallStage;
import io.iocluster.message.Answer;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.SentStatus;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IoClusterClientTest {

    private static final Request REQUEST = request("a");
    private static final Duration SHORT = Duration.ofMillis(50);

    private final FakeClientTransport queues = new FakeClientTransport();
    private final Counts counts = new Counts();
    private IoClusterClient cluster;

    @BeforeEach
    void connect() throws IOException {
        connect(ClientConfig.forTransport(queues));
    }

    private void connect(ClientConfig config) throws IOException {
        if (cluster != null) {
            cluster.close();
        }
        cluster = IoClusterClient.connect(config.withEvents(counts));
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void completesACallWithTheAnswerThatHasItsId() throws Exception {
        CompletionStage<Answer> call = cluster.call(REQUEST);
        queues.publish("nonsense");
        queues.answer("of another");
        queues.answer("a");

        Answer answer = get(call);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("to a");
        assertThat(cluster.outstanding()).isZero();
        assertThat(counts.seen).containsExactly("started", "answered");
    }

    @Test
    void endsCallsEvenIfClientEventsThrow() throws Exception {
        cluster.close();
        cluster = IoClusterClient.connect(ClientConfig.forTransport(queues).withEvents(new ClientEvents() {
            @Override
            public void started() {
                throw new IllegalStateException("no meter");
            }

            @Override
            public void answered(Duration elapsed) {
                throw new IllegalStateException("no meter");
            }
        }));

        CompletionStage<Answer> call = cluster.call(REQUEST);
        queues.answer("a");

        assertThat(get(call).status()).isEqualTo(200);
        assertThat(cluster.outstanding()).isZero();
    }

    @Test
    void aCallThatWaitsForItsAnswerDoesNotReferenceItsPublishBecauseThatHoldsTheMessage() {
        CompletionStage<Answer> call = cluster.call(REQUEST);
        WeakReference<CompletableFuture<PublishResult>> publish = new WeakReference<>(queues.confirmations.remove(0));

        await().untilAsserted(() -> {
            System.gc();
            assertThat(publish.refersTo(null)).isTrue();
        });
        assertThat(call.toCompletableFuture()).isNotDone();
    }

    @Test
    void requestsTheAnswerAtTheClientsQueueSlightlyBeforeTheDeadline() {
        cluster.call(Request.post("http://h/")
                .id("a")
                .body("text")
                .deadline(Duration.ofSeconds(2))
                .key("k")
                .build());

        assertThat(queues.lastEnvelope())
                .matches("\\{\"id\":\"a\",\"method\":\"POST\",\"url\":\"http://h/\",\"body\":\"text\","
                        + "\"deadlineMs\":1(9[0-4]|[0-8][0-9])[0-9],\"replyTo\":\"replies\"}");
        assertThat(queues.sent.get(0).key()).isEqualTo("k");
        assertThat(queues.sent.get(0).expiry()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    @Test
    void generatesAUniqueIdForEachRequestWithoutOne() {
        cluster.call(Request.get("http://h/").build());
        String first = queues.lastEnvelope();
        cluster.call(Request.get("http://h/").build());

        assertThat(first).contains("\"id\":\"").isNotEqualTo(queues.lastEnvelope());
    }

    @Test
    void failsAtTheDeadlineAndReportsThatTheRequestIsEnqueued() {
        CompletionStage<Answer> call =
                cluster.call(Request.get("http://h/").id("a").deadline(SHORT).build());

        assertThatThrownBy(() -> get(call))
                .asInstanceOf(type(CallTimeoutException.class))
                .satisfies(late -> {
                    assertThat(late.id()).isEqualTo("a");
                    assertThat(late.stage()).isEqualTo(CallStage.ENQUEUED);
                    assertThat(late.sent()).isEqualTo(SentStatus.MAYBE);
                    assertThat(late).hasMessageContaining("within 50ms").hasMessageContaining("on the queue");
                });
        assertThat(cluster.outstanding()).isZero();
        assertThat(counts.seen).containsExactly("started", "failed");
    }

    @Test
    void cancelsAnUnconfirmedPublishAtTheDeadline() {
        queues.confirm(request -> null);
        CompletionStage<Answer> call =
                cluster.call(Request.get("http://h/").deadline(SHORT).build());

        assertThatThrownBy(() -> get(call))
                .asInstanceOf(type(CallTimeoutException.class))
                .satisfies(late -> {
                    assertThat(late.stage()).isEqualTo(CallStage.UNCONFIRMED);
                    assertThat(late).hasMessageContaining("has not confirmed the request; broker: 127.0.0.1:1");
                });
        assertThat(queues.confirmations.get(0)).isCancelled();
    }

    @Test
    void reportsWhyAPublishFailedAndWhetherTheRequestMayBeSent() {
        queues.confirm(request -> new PublishResult.TooLarge("2 MB, and 1 MB is allowed"));
        assertThatThrownBy(() -> get(cluster.call(REQUEST)))
                .isInstanceOf(NotEnqueuedException.class)
                .hasMessage("not enqueued: 2 MB, and 1 MB is allowed")
                .extracting(failure -> ((IoClusterException) failure).sent())
                .isEqualTo(SentStatus.NO);

        queues.confirm(request -> new PublishResult.Failed("not confirmed within 60s"));
        assertThatThrownBy(() -> get(cluster.call(REQUEST)))
                .isInstanceOf(NotEnqueuedException.class)
                .extracting(failure -> ((IoClusterException) failure).sent())
                .isEqualTo(SentStatus.MAYBE);
    }

    @Test
    void failsACallAboveTheLimitOfOutstandingCalls() throws Exception {
        connect(ClientConfig.forTransport(queues).withMaxOutstanding(2, ClientFullPolicy.FAIL));
        CompletionStage<Answer> first = cluster.call(request("1"));
        cluster.call(request("2"));

        assertThatThrownBy(() -> get(cluster.call(request("3"))))
                .isInstanceOf(ClientFullException.class)
                .hasMessage("2 calls are outstanding; raise maxOutstanding, or retry later");
        assertThat(queues.sent).hasSize(2);

        queues.answer("1");
        get(first);
        cluster.call(request("4"));
        assertThat(queues.sent).hasSize(3);
    }

    @Test
    void blocksTheCallerUntilAPermitIsFreeIfConfigured() throws Exception {
        connect(ClientConfig.forTransport(queues).withMaxOutstanding(1, ClientFullPolicy.BLOCK));
        CompletionStage<Answer> first = cluster.call(request("1"));
        CompletableFuture<Answer> second =
                CompletableFuture.supplyAsync(() -> cluster.call(request("2"))).thenCompose(call -> call);

        queues.answer("1");
        get(first);
        await().until(() -> queues.sent.size() == 2);
        queues.answer("2");

        assertThat(get(second).text()).isEqualTo("to 2");
    }

    @Test
    void waitsForAPermitAtMostUntilTheDeadline() throws Exception {
        connect(ClientConfig.forTransport(queues).withMaxOutstanding(1, ClientFullPolicy.BLOCK));
        cluster.call(request("1"));

        CompletionStage<Answer> second =
                cluster.call(Request.get("http://h/").deadline(SHORT).build());

        assertThatThrownBy(() -> get(second))
                .asInstanceOf(type(CallTimeoutException.class))
                .satisfies(late -> assertThat(late.sent()).isEqualTo(SentStatus.NO));
        assertThat(queues.sent).hasSize(1);
    }

    @Test
    void refusesAnIdThatIsAlreadyOutstanding() throws Exception {
        CompletionStage<Answer> first = cluster.call(REQUEST);

        assertThatThrownBy(() -> get(cluster.call(REQUEST)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the id a is already outstanding");

        queues.answer("a");
        get(first);
        assertThat(cluster.outstanding()).isZero();
    }

    @Test
    void ignoresDuplicateAndLateAnswers() throws Exception {
        CompletionStage<Answer> first = cluster.call(REQUEST);
        queues.answer("a");
        queues.answer("a");
        get(first);

        CompletionStage<Answer> next = cluster.call(request("b"));
        queues.answer("b");

        assertThat(get(next).text()).isEqualTo("to b");
        assertThat(counts.seen).containsExactly("started", "answered", "started", "answered");
    }

    @Test
    void aBlockingStageDoesNotDelayOtherCalls() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CompletionStage<Void> slow = cluster.call(request("slow")).thenAccept(answer -> hold(blocked));
        queues.answer("slow");
        CompletionStage<Answer> late =
                cluster.call(Request.get("http://h/").deadline(SHORT).build());
        CompletionStage<Answer> good = cluster.call(request("good"));
        queues.answer("good");

        assertThat(get(good).text()).isEqualTo("to good");
        assertThatThrownBy(() -> get(late)).isInstanceOf(CallTimeoutException.class);

        blocked.countDown();
        get(slow);
    }

    @Test
    void continuesToReadAnswersAfterBrokerFailuresAndAnError() throws Exception {
        queues.failingPolls.set(2);
        queues.pollError.set(new NoClassDefFoundError("gone"));

        CompletionStage<Answer> call = cluster.call(REQUEST);
        queues.answer("a");

        assertThat(get(call).text()).isEqualTo("to a");
    }

    @Test
    void failsOutstandingCallsOnClose() {
        CompletionStage<Answer> call = cluster.call(REQUEST);
        queues.confirm(request -> null);
        CompletionStage<String> envelope = cluster.enqueue(request("b"));

        cluster.close();

        assertThatThrownBy(() -> get(call)).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> get(envelope)).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> get(cluster.call(REQUEST))).isInstanceOf(ClientClosedException.class);
        assertThat(queues.closed).isTrue();
    }

    @Test
    void enqueueCompletesWithTheIdWhenTheBrokerHasConfirmed() throws Exception {
        queues.confirm(request -> null);
        CompletionStage<String> stage = cluster.enqueue(REQUEST);
        assertThat(stage.toCompletableFuture()).isNotDone();
        assertThat(cluster.outstanding()).isOne();

        queues.confirmations.get(0).complete(PublishResult.CONFIRMED);

        assertThat(get(stage)).isEqualTo("a");
        assertThat(queues.lastEnvelope()).contains("\"replyTo\":\"durable\"").doesNotContain("deadlineMs");
        assertThat(cluster.outstanding()).isZero();
        assertThat(counts.seen).containsExactly("started", "enqueued");
    }

    @Test
    void enqueueTimesOutIfTheBrokerDoesNotConfirm() throws Exception {
        connect(ClientConfig.forTransport(queues).timeout(SHORT));
        queues.confirm(request -> null);

        assertThatThrownBy(() -> get(cluster.enqueue(REQUEST)))
                .asInstanceOf(type(CallTimeoutException.class))
                .satisfies(late -> assertThat(late.stage()).isEqualTo(CallStage.UNCONFIRMED));
    }

    @Test
    void callRefusesReplyAndReplyTo() {
        assertThatThrownBy(() -> cluster.call(
                        Request.get("http://h/").reply(ReplyMode.FAILURES).build()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        cluster.call(Request.get("http://h/").replyTo("there").build()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void failsACallWhoseAnswerIsUnreadable() {
        CompletionStage<Answer> call = cluster.call(REQUEST);
        queues.publish("{\"id\":\"a\",\"outcome\":\"unheard of\"}");

        assertThatThrownBy(() -> get(call)).isInstanceOf(UnreadableAnswerException.class);
    }

    private static Request request(String id) {
        return Request.get("http://h/").id(id).build();
    }

    private static void hold(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the stage's result, or throws its failure. */
    private static <T> T get(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(1, TimeUnit.MINUTES);
        } catch (ExecutionException failed) {
            throw (Exception) failed.getCause();
        }
    }

    private static final class Counts implements ClientEvents {

        private final List<String> seen = java.util.Collections.synchronizedList(new ArrayList<>());

        @Override
        public void started() {
            seen.add("started");
        }

        @Override
        public void answered(Duration elapsed) {
            seen.add("answered");
        }

        @Override
        public void enqueued(Duration elapsed) {
            seen.add("enqueued");
        }

        @Override
        public void failed(IoClusterException failure) {
            seen.add("failed");
        }
    }
}
