package io.iocluster.node.cluster;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.NodeProcess;
import io.iocluster.node.RunningNode;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;

class KafkaClusterOfNodesIT extends ClusterOfNodes {

    private final KafkaNodeFixture fixture = new KafkaNodeFixture(3, Map.of());

    @AfterAll
    void close() {
        fixture.close();
    }

    @Override
    RunningNode startInProcess(String id) {
        return fixture.startInProcess(id, "none");
    }

    @Override
    NodeProcess start(String id) {
        return fixture.startNode(id, "none");
    }

    @Override
    void publish(List<byte[]> records) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", fixture.broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            records.forEach(
                    record -> producer.send(new ProducerRecord<>(fixture.clusterTopic(), new byte[] {1}, record)));
            producer.flush();
        }
    }
}
