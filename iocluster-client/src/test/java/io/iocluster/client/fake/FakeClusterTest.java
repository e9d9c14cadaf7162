package io.iocluster.client.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.client.AnswerSubscription;
import io.iocluster.client.CallTimeoutException;
import io.iocluster.client.IoClusterClient;
import io.iocluster.client.ListenerConfig;
import io.iocluster.client.NotEnqueuedException;
import io.iocluster.client.Request;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.message.SentStatus;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FakeClusterTest {

    private final FakeCluster cluster = new FakeCluster();
    private IoClusterClient client;

    @BeforeEach
    void connect() throws IOException {
        client = IoClusterClient.connect(cluster);
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void answersACallByItsRule() {
        cluster.answer("http://a/", FakeAnswer.status(201).header("X-Tag", "1").body("text"));

        Answer answer = call(Request.get("http://a/").id("i").context("[1]").build());

        assertThat(answer.id()).isEqualTo("i");
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.header("x-tag")).isEqualTo("1");
        assertThat(answer.text()).isEqualTo("text");
        assertThat(answer.context()).isEqualTo("[1]");
    }

    @Test
    void usesTheRuleThatWasAddedLast() {
        cluster.answer(call -> true, call -> FakeAnswer.status(200).body(call.method()))
                .answer(
                        call -> call.method().equals("POST"),
                        call -> FakeAnswer.error(ErrorCode.TIMEOUT, SentStatus.MAYBE));

        assertThat(call(Request.get("http://a/").build()).text()).isEqualTo("GET");
        assertThat(call(Request.post("http://a/").build()).errorCode()).isEqualTo("timeout");
    }

    @Test
    void refusesTheConnectionOfACallWithoutARule() {
        Answer answer = call(Request.get("http://a/").build());

        assertThat(answer.errorCode()).isEqualTo("connect-refused");
        assertThat(answer.error().sent()).isEqualTo(SentStatus.NO);
    }

    @Test
    void aCallWithoutAnAnswerEndsAtItsDeadline() {
        cluster.answer("http://a/", FakeAnswer.none());

        assertThatThrownBy(() -> call(
                        Request.get("http://a/").deadline(Duration.ofMillis(20)).build()))
                .hasCauseInstanceOf(CallTimeoutException.class);
    }

    @Test
    void theBrokerRefusesARequest() {
        cluster.answer("http://a/", FakeAnswer.notEnqueued(new PublishResult.TooLarge("too large")));

        assertThatThrownBy(() -> call(Request.get("http://a/").build())).hasCauseInstanceOf(NotEnqueuedException.class);
        assertThat(cluster.requests()).isEmpty();
    }

    @Test
    void recordsTheRequests() {
        call(Request.post("http://a/").body("order").idempotencyKey("k").build());

        assertThat(cluster.requests()).singleElement().satisfies(request -> {
            assertThat(request.body()).asString().isEqualTo("order");
            assertThat(request.idempotencyKey()).isEqualTo("k");
        });
    }

    @Test
    void theFirstSuccessOfSeveralCallsWins() {
        cluster.answer("http://b/", FakeAnswer.status(200).body("b"));

        Answer answer = call(Request.any(List.of(
                        Request.get("http://a/").build(),
                        Request.get("http://b/").build()))
                .build());

        assertThat(answer.branch()).isEqualTo(1);
        assertThat(answer.text()).isEqualTo("b");
    }

    @Test
    void collectsTheResultsOfSeveralCalls() {
        cluster.answer("http://b/", FakeAnswer.status(404));

        Answer answer = call(Request.all(List.of(
                        Request.get("http://a/").build(),
                        Request.get("http://b/").build()))
                .build());

        assertThat(answer.errorCode()).isEqualTo("incomplete-results");
        assertThat(answer.results()).extracting(Answer::outcome).containsExactly(Outcome.FAILED, Outcome.ANSWERED);
    }

    @Test
    void aListenerGetsEachAnswerOnceAndAgainIfItFails() {
        cluster.answer(call -> true, call -> FakeAnswer.status(200).copies(2));
        List<String> handled = new CopyOnWriteArrayList<>();
        try (AnswerSubscription ignored = client.listen(ListenerConfig.DEFAULTS, answer -> {
            handled.add(answer.id());
            return handled.size() == 1
                    ? CompletableFuture.failedFuture(new IllegalStateException("no database"))
                    : CompletableFuture.completedFuture(null);
        })) {
            client.enqueue(Request.post("http://a/").id("order").build());
            client.enqueue(Request.post("http://a/").id("last").build());

            await().untilAsserted(() -> assertThat(handled)
                    .contains("last")
                    .filteredOn("order"::equals)
                    .hasSize(2));
        }
    }

    @Test
    void aRequestThatWantsNoAnswerGetsNone() {
        client.enqueue(
                Request.post("http://a/").id("silent").reply(ReplyMode.NEVER).build());
        client.enqueue(Request.post("http://a/").id("loud").build());
        List<String> handled = new CopyOnWriteArrayList<>();

        try (AnswerSubscription ignored = client.listen(ListenerConfig.DEFAULTS, answer -> {
            handled.add(answer.id());
            return CompletableFuture.completedFuture(null);
        })) {
            await().untilAsserted(() -> assertThat(handled).containsExactly("loud"));
        }
        assertThat(cluster.requests()).extracting(RequestEnvelope::id).containsExactly("silent", "loud");
    }

    private Answer call(Request request) {
        return client.call(request)
                .toCompletableFuture()
                .orTimeout(1, TimeUnit.MINUTES)
                .join();
    }
}
