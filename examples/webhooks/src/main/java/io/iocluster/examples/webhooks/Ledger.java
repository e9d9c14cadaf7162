package io.iocluster.examples.webhooks;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** What became of each event; a service has a table for this. Safe for use by several threads. */
final class Ledger {

    private final Map<String, CompletableFuture<WebhookDelivery>> deliveries = new ConcurrentHashMap<>();

    /** Writes it down; what is written already stays, for an answer may come twice. */
    void record(WebhookDelivery delivery) {
        entry(delivery.event()).complete(delivery);
    }

    /** Completes when it is known how the delivery ended. */
    CompletableFuture<WebhookDelivery> of(Event event) {
        return entry(event.id()).copy();
    }

    private CompletableFuture<WebhookDelivery> entry(String event) {
        return deliveries.computeIfAbsent(event, unknown -> new CompletableFuture<>());
    }
}
