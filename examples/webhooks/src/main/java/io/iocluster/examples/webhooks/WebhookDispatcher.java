package io.iocluster.examples.webhooks;

import io.iocluster.client.AnswerSubscription;
import io.iocluster.client.IoClusterClient;
import io.iocluster.client.ListenerConfig;
import io.iocluster.client.Request;
import io.iocluster.message.Answer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.json.JsonMapper;

/**
 * The service: puts deliveries on the queue, and writes down how they ended when the answers come. One process may do the first and
 * another the second. Safe for use by several threads.
 */
final class WebhookDispatcher implements AutoCloseable {

    /** On a queue of answers that others share, ours are told by it. */
    private static final String OURS = "webhook-";

    private static final JsonMapper JSON = JsonMapper.shared();

    private final IoClusterClient cluster;
    private final Ledger ledger;
    private final AnswerSubscription subscription;

    WebhookDispatcher(IoClusterClient cluster, Ledger ledger) {
        this.cluster = cluster;
        this.ledger = ledger;
        this.subscription = cluster.listen(ListenerConfig.DEFAULTS.group("webhooks"), this::onAnswer);
    }

    /** An id for a new event. */
    static String id(String unique) {
        return OURS + unique;
    }

    /** Completes when the broker holds the delivery: from then on it is made, whatever becomes of this process. */
    CompletionStage<String> enqueue(Event event) {
        return cluster.enqueue(Request.post(event.url())
                .id(event.id())
                // Makes the POST retryable; the subscriber sees it as the header Idempotency-Key.
                .idempotencyKey(event.id())
                .header("Content-Type", "application/json")
                .body(event.json())
                .timeout(Duration.ofSeconds(2))
                .maxAttempts(3)
                .deadline(Duration.ofSeconds(20))
                // Comes back with the answer, which says nothing else of whom it is about.
                .context(JSON.writeValueAsString(event.subscriber()))
                .build());
    }

    /** The answer is off the queue when the stage has completed; were it to fail, the answer would be handed over again. */
    private CompletionStage<?> onAnswer(Answer answer) {
        if (answer.id() != null && answer.id().startsWith(OURS)) {
            ledger.record(WebhookDelivery.of(JSON.readValue(answer.context(), String.class), answer));
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
        subscription.close();
    }
}
