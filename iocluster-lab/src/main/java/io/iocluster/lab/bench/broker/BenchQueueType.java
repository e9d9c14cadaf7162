package io.iocluster.lab.bench.broker;

import java.util.Locale;
import java.util.Map;

/** The type of the durable RabbitMQ queues to measure on. */
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
