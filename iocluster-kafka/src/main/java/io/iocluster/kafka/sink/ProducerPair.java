package io.iocluster.kafka.sink;

import io.iocluster.kafka.config.KafkaConnections;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;

/**
 * Two producers for the same brokers: one without linger for a low send rate, and one with Kafka's default linger for a
 * high rate, because few large requests cost broker and node less than many small ones. Two are needed because the
 * linger of a producer cannot be changed. Large answers use the producer that small ones do not use now, and requests with a
 * key always use the first one, because two do not keep their order.
 */
record ProducerPair(Producer<byte[], byte[]> noLinger, Producer<byte[], byte[]> lingering) {

    private static final int LINGER_MILLIS = 5;

    /**
     * Creates the producers. Both use the configured linger, if there is one.
     *
     * @param properties returns the properties of a producer by its role
     */
    static ProducerPair open(
            KafkaConnections connections, String role, Function<String, Map<String, Object>> properties) {
        Map<String, Object> batched = properties.apply(role + "-gathering");
        batched.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
        Map<String, Object> immediate = properties.apply(role);
        immediate.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 0);
        Producer<byte[], byte[]> first = connections.openProducer(immediate);
        try {
            return new ProducerPair(first, connections.openProducer(batched));
        } catch (RuntimeException e) {
            first.close(Duration.ZERO);
            throw e;
        }
    }

    /** Makes both producers ask for the partitions of the topic, without waiting for the answer. */
    void requestMetadata(String topic) {
        for (Producer<byte[], byte[]> each : List.of(noLinger, lingering)) {
            try {
                each.partitionsFor(topic);
            } catch (KafkaException unknown) {
                // max.block.ms is 0, so the producer has no answer yet.
            }
        }
    }

    /** Closes both producers, each with this timeout. */
    void close(Duration timeout) {
        noLinger.close(timeout);
        lingering.close(timeout);
    }
}
