package io.iocluster.node.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import io.iocluster.client.AnswerSubscription;
import io.iocluster.client.CallTimeoutException;
import io.iocluster.client.CallTimeoutException.CallStage;
import io.iocluster.client.ClientConfig;
import io.iocluster.client.ClientEvents;
import io.iocluster.client.ClientFullPolicy;
import io.iocluster.client.IoClusterClient;
import io.iocluster.client.ListenerConfig;
import io.iocluster.client.Request;
import io.iocluster.client.spi.ClientTransport;
import io.iocluster.message.Answer;
import io.iocluster.message.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Tests the client's guarantees together with a node. There is one subclass for each transport. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ClientContract {

    private static final Duration LONG = Duration.ofMinutes(4);

    /** Returns the queues that the node reads. */
    abstract ClientTransport transport();

    /** Returns queues whose requests no node reads. */
    abstract ClientTransport unread();

    /** Returns a URL of the target. */
    abstract String url(String path);

    /** Interrupts the connections to the broker. */
    abstract void cut();

    private IoClusterClient connect() throws IOException {
        return IoClusterClient.connect(ClientConfig.forTransport(transport()).timeout(LONG));
    }

    @Test
    void callsAreAnsweredByTheNode() throws Exception {
        try (IoClusterClient cluster = connect()) {
            CompletionStage<Answer> good = cluster.call(Request.post(url("/ok"))
                    .header("X-Tag", "a")
                    .body("text")
                    .idempotencyKey("k")
                    .context("{\"of\": 1}")
                    .build());
            CompletionStage<Answer> bad = cluster.call(
                    Request.get(url("/status?code=503")).maxAttempts(1).build());
            CompletionStage<Answer> forbidden =
                    cluster.call(Request.get("ftp://127.0.0.1/").build());
            CompletionStage<Answer> first = cluster.call(Request.any(List.of(
                            Request.get(url("/never")).build(),
                            Request.get(url("/ok")).build()))
                    .build());

            assertThat(get(good)).satisfies(answer -> {
                assertThat(answer.outcome()).isEqualTo(Outcome.ANSWERED);
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.text()).isEqualTo("ok");
                assertThat(answer.context()).isEqualTo("{\"of\":1}");
                assertThat(answer.header("Content-Length")).isEqualTo("2");
            });
            assertThat(get(bad).status()).isEqualTo(503);
            assertThat(get(forbidden).outcome()).isEqualTo(Outcome.REJECTED);
            assertThat(get(forbidden).errorCode()).isEqualTo("scheme-not-allowed");
            assertThat(get(first).branch()).isOne();
            assertThat(cluster.outstanding()).isZero();
        }
    }

    @Test
    void aCallThatNoNodeReadsEndsAtItsDeadline() throws Exception {
        try (IoClusterClient cluster = IoClusterClient.connect(unread())) {
            // The first call also opens the connection.
            assertThat(get(cluster.enqueue(Request.get(url("/ok")).id("first").build())))
                    .isEqualTo("first");
            // Long enough for the broker of a busy machine to confirm the call.
            Duration deadline = Duration.ofSeconds(5);
            long began = System.nanoTime();

            CompletionStage<Answer> call =
                    cluster.call(Request.get(url("/ok")).deadline(deadline).build());

            assertThatThrownBy(() -> get(call))
                    .asInstanceOf(type(CallTimeoutException.class))
                    .satisfies(late -> assertThat(late.stage()).isEqualTo(CallStage.ENQUEUED));
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    // Without its own deadline, the call would end after 30 s.
                    .isBetween(deadline, Duration.ofSeconds(20));
        }
    }

    @Test
    void limitsOutstandingCalls() throws Exception {
        int most = 20;
        AtomicInteger seen = new AtomicInteger();
        try (IoClusterClient cluster = IoClusterClient.connect(ClientConfig.forTransport(transport())
                .timeout(LONG)
                .withMaxOutstanding(most, ClientFullPolicy.BLOCK))) {
            List<CompletionStage<Answer>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                calls.add(cluster.call(Request.get(url("/delay?ms=20")).build()));
                seen.accumulateAndGet(cluster.outstanding(), Math::max);
            }

            for (CompletionStage<Answer> call : calls) {
                assertThat(get(call).status()).isEqualTo(200);
            }
        }
        assertThat(seen.get()).isBetween(2, most);
    }

    @Test
    void callsContinueAfterTheBrokerWasUnreachable() throws Exception {
        try (IoClusterClient cluster = connect()) {
            get(cluster.call(Request.get(url("/ok")).build()));
            CompletionStage<Answer> open =
                    cluster.call(Request.get(url("/delay?ms=500")).build());

            cut();
            CompletionStage<Answer> after = cluster.call(Request.get(url("/ok")).build());

            assertThat(get(open).status()).isEqualTo(200);
            assertThat(get(after).status()).isEqualTo(200);
        }
    }

    @Test
    void redeliversAnAnswerUntilItIsHandledAndSkipsDuplicates() throws Exception {
        int enqueued = 100;
        Map<String, Integer> handled = new ConcurrentHashMap<>();
        Set<String> failedOnce = ConcurrentHashMap.newKeySet();
        DuplicateCounter duplicates = new DuplicateCounter();
        ListenerConfig listening = ListenerConfig.DEFAULTS.group("contract");
        try (IoClusterClient cluster = IoClusterClient.connect(
                ClientConfig.forTransport(transport()).timeout(LONG).withEvents(duplicates))) {
            for (String id :
                    IntStream.range(0, enqueued).mapToObj(i -> "e-" + i).toList()) {
                get(cluster.enqueue(Request.get(url("/ok")).id(id).build()));
            }

            try (AnswerSubscription first = cluster.listen(listening, answer -> {
                if (answer.id().startsWith("e-") && answer.id().endsWith("5") && failedOnce.add(answer.id())) {
                    return CompletableFuture.failedFuture(new IOException("not now"));
                }
                handled.merge(answer.id(), 1, Integer::sum);
                return CompletableFuture.completedFuture(null);
            })) {
                await().atMost(LONG).until(() -> count(handled, "e-") == enqueued);
                get(cluster.enqueue(Request.get(url("/ok")).id("e-7").build()));
                await().atMost(LONG).until(() -> duplicates.count.get() > 0);
            }
            try (AnswerSubscription second = cluster.listen(listening, answer -> {
                handled.merge("again " + answer.id(), 1, Integer::sum);
                return CompletableFuture.completedFuture(null);
            })) {
                get(cluster.enqueue(Request.get(url("/ok")).id("last").build()));
                await().atMost(LONG).until(() -> handled.containsKey("again last"));
            }
        }

        assertThat(failedOnce).hasSize(10);
        assertThat(handled.get("e-7")).isOne();
        assertThat(count(handled, "again e-")).isZero();
    }

    private static long count(Map<String, Integer> handled, String prefix) {
        return handled.keySet().stream().filter(id -> id.startsWith(prefix)).count();
    }

    /** Returns the result of the stage, or throws its failure. */
    private static <T> T get(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(LONG.toSeconds() + 30, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw (Exception) failed.getCause();
        }
    }

    private static final class DuplicateCounter implements ClientEvents {

        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void duplicateAnswer() {
            count.incrementAndGet();
        }
    }
}
