package io.iocluster.bench.rabbit;

import java.util.Locale;
import java.util.Map;

/** Which of RabbitMQ's durable queues is measured on. */
public enum QueueType {
    CLASSIC,
    QUORUM;

    Map<String, Object> arguments() {
        return Map.of("x-queue-type", label());
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
