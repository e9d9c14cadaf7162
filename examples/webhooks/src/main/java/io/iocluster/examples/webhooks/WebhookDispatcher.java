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
 * The service: enqueues deliveries, and records the results from the answers. Different processes can do these two
 * tasks. Thread-safe.
 */
final class WebhookDispatcher implements AutoCloseable {

    /** Marks our ids, because the queue of answers may be shared. */
    private static final String ID_PREFIX = "webhook-";

    private static final JsonMapper JSON = JsonMapper.shared();

    private final IoClusterClient cluster;
    private final Ledger ledger;
    private final AnswerSubscription subscription;

    WebhookDispatcher(IoClusterClient cluster, Ledger ledger) {
        this.cluster = cluster;
        this.ledger = ledger;
        this.subscription = cluster.listen(ListenerConfig.DEFAULTS.group("webhooks"), this::onAnswer);
    }

    /** Returns an id for a new event. */
    static String id(String unique) {
        return ID_PREFIX + unique;
    }

    /** Completes when the broker has confirmed the envelope. The delivery is then made even if this process exits. */
    CompletionStage<String> enqueue(Event event) {
        return cluster.enqueue(Request.post(event.url())
                .id(event.id())
                // Makes the POST retryable; the subscriber sees it as the header Idempotency-Key.
                .idempotencyKey(event.id())
                .header("Content-Type", "application/json")
                .body(event.json())
                .timeout(Duration.ofSeconds(10))
                .maxAttempts(3)
                .deadline(Duration.ofMinutes(1))
                // Comes back with the answer, which does not identify the subscriber otherwise.
                .context(JSON.writeValueAsString(event.subscriber()))
                .build());
    }

    /** Handles an answer. It is acknowledged when the stage completes, and redelivered if the stage fails. */
    private CompletionStage<?> onAnswer(Answer answer) {
        if (answer.id() != null && answer.id().startsWith(ID_PREFIX)) {
            ledger.record(WebhookDelivery.of(JSON.readValue(answer.context(), String.class), answer));
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
        subscription.close();
    }
}
