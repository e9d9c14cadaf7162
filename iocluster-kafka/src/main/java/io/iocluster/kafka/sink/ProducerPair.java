package io.iocluster.kafka.sink;

import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Two producers over the same brokers: one sends each message at once, the other lets those that come close together gather
 * for as long as Kafka's own linger, for few large requests cost broker and node less than many small ones. Which of them is
 * right depends on the load, and a producer's linger cannot be changed.
 */
record ProducerPair(Producer<byte[], byte[]> noLinger, Producer<byte[], byte[]> lingering) {

    private static final int GATHER_MILLIS = 5;

    /**
     * Creates the producers. Both use the configured linger, if there is one.
     *
     * @param properties those of a producer by its role
     */
    static ProducerPair open(String role, Function<String, Map<String, Object>> properties) {
        Map<String, Object> gathering = properties.apply(role + "-gathering");
        gathering.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, GATHER_MILLIS);
        Map<String, Object> prompt = properties.apply(role);
        prompt.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 0);
        Producer<byte[], byte[]> first = new KafkaProducer<>(prompt);
        try {
            return new ProducerPair(first, new KafkaProducer<>(gathering));
        } catch (RuntimeException e) {
            first.close(Duration.ZERO);
            throw e;
        }
    }

    void close(Duration within) {
        noLinger.close(within);
        lingering.close(within);
    }
}
