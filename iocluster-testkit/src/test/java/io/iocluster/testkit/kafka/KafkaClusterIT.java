package io.iocluster.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KafkaClusterIT {

    private KafkaCluster cluster;

    @BeforeEach
    void launch() {
        cluster = KafkaCluster.launch(2, Map.of());
        cluster.brokers().get(0).createTopic("in", 2, Map.of());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void keepsTheRecordsWhenTheLeaderMovesAndWhenItIsKilled() throws Exception {
        KafkaProcess first = cluster.brokers().get(0);
        KafkaProcess second = cluster.brokers().get(1);
        if (cluster.leaderOf("in") == second) {
            moveLeaderTo(first);
        }
        send("a");
        moveLeaderTo(second);
        send("b");

        second.kill();
        send("c");

        assertThat(first.readAll("in")).hasSize(3);
    }

    private void moveLeaderTo(KafkaProcess broker) {
        cluster.moveLeaders(List.of("in"));
        // The brokers learn one after the other which of them leads.
        await().until(() -> cluster.leaderOf("in") == broker);
    }

    private void send(String value) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", cluster.bootstrapServers(), "acks", "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>("in", 0, null, value.getBytes())).get();
        }
    }
}
