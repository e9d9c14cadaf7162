package io.iocluster.node.cluster;

import io.iocluster.node.KafkaNodeFixture;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;

class KafkaClusterLimitMeasurement extends ClusterLimitMeasurement {

    private final KafkaNodeFixture fixture = new KafkaNodeFixture(8, Map.of());

    @AfterEach
    void close() {
        fixture.close();
    }

    @Override
    Path configure(String id) {
        return fixture.configure(id, "none", CONFIGURATION);
    }

    @Override
    void publish(byte[] envelope, int times) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", fixture.broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < times; i++) {
                producer.send(new ProducerRecord<>(KafkaNodeFixture.REQUESTS, i % fixture.partitions, null, envelope));
            }
            producer.flush();
        }
    }
}
