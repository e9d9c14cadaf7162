package io.iocluster.lab.bench.rabbit;

import java.util.Locale;
import java.util.Map;

/** Which of RabbitMQ's durable queues is measured on. */
public enum BenchQueueType {
    CLASSIC,
    QUORUM;

    Map<String, Object> arguments() {
        return Map.of("x-queue-type", label());
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
