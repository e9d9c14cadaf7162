package io.iocluster.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
    void movesTheLeaderThereAndBackAndKeepsTheRecords() throws Exception {
        KafkaProcess first = cluster.leaderOf("in");
        send("a");
        cluster.moveLeaders(List.of("in"));
        // The brokers learn one after the other which of them leads.
        await().atMost(1, TimeUnit.MINUTES).until(() -> cluster.leaderOf("in") != first);
        send("b");
        cluster.moveLeaders(List.of("in"));

        await().atMost(1, TimeUnit.MINUTES).until(() -> cluster.leaderOf("in") == first);
        assertThat(first.readAll("in")).hasSize(2);
    }

    @Test
    void theOtherBrokerLeadsWhenTheSecondOneIsKilled() throws Exception {
        if (cluster.leaderOf("in") == cluster.brokers().get(0)) {
            cluster.moveLeaders(List.of("in"));
        }
        send("a");

        cluster.brokers().get(1).kill();
        send("b");

        assertThat(cluster.brokers().get(0).readAll("in")).hasSize(2);
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
