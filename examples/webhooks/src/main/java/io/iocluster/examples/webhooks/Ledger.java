package io.iocluster.examples.webhooks;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Stores the result of each delivery; a real service uses a database table. Thread-safe. */
final class Ledger {

    private final Map<String, CompletableFuture<WebhookDelivery>> deliveries = new ConcurrentHashMap<>();

    /** Records a result. Keeps an existing one, because an answer may arrive twice. */
    void record(WebhookDelivery delivery) {
        entry(delivery.event()).complete(delivery);
    }

    /** Completes when the result of the delivery is known. */
    CompletableFuture<WebhookDelivery> of(Event event) {
        return entry(event.id()).copy();
    }

    private CompletableFuture<WebhookDelivery> entry(String event) {
        return deliveries.computeIfAbsent(event, unknown -> new CompletableFuture<>());
    }
}
