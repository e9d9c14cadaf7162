package io.iocluster.kafka.cluster;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.testkit.contract.ClusterChannelFixture;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.transport.cluster.ClusterChannel;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic of announcements that accepts records of any size. Owned by one test. */
final class KafkaClusterChannelFixture implements ClusterChannelFixture {

    private static final Map<String, Object> LARGE =
            Map.of("max.request.size", 64 << 20, "buffer.memory", 64 << 20, "linger.ms", 0);

    private final KafkaBroker broker;
    private final KafkaSettings settings;
    private boolean killed;

    KafkaClusterChannelFixture(KafkaBroker broker, String name) {
        this.broker = broker;
        this.settings = KafkaTestSettings.of(broker.bootstrapServers(), name, Ordering.NONE, Map.of());
        broker.createTopic(settings.clusterTopic(), 1, Map.of("max.message.bytes", Integer.toString(64 << 20)));
    }

    @Override
    public ClusterChannel newChannel(String nodeId) {
        return new KafkaClusterChannel(KafkaConnections.ofSystem(settings, nodeId));
    }

    @Override
    public void publish(byte[] record) {
        publishMany(record, 1);
    }

    @Override
    public void publishMany(byte[] record, int count) {
        Map<String, Object> properties = new java.util.HashMap<>(LARGE);
        properties.put("bootstrap.servers", broker.bootstrapServers());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                producer.send(
                        new ProducerRecord<>(settings.clusterTopic(), new byte[] {1}, record), (sent, failure) -> {
                            if (failure != null) {
                                throw new IllegalStateException(failure);
                            }
                        });
            }
            producer.flush();
            producer.close(Duration.ofSeconds(30));
        }
    }

    @Override
    public void killBroker() {
        broker.kill();
        killed = true;
    }

    @Override
    public void restartBroker() {
        broker.start();
        killed = false;
    }

    @Override
    public void close() {
        if (killed) {
            restartBroker();
        }
    }
}
