package io.iocluster.kafka.config;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Opens the clients of the Kafka library. Nothing else calls their constructors, so that a simulation can replace the brokers.
 * Thread-safe. Each method throws a {@link org.apache.kafka.common.KafkaException} if a property is invalid.
 */
public interface KafkaClients {

    /** Returns the clients of the Kafka library, which connect to brokers. */
    static KafkaClients library() {
        return LibraryClients.INSTANCE;
    }

    /** Opens a consumer. */
    Consumer<byte[], byte[]> openConsumer(
            Map<String, Object> properties, Deserializer<byte[]> keys, Deserializer<byte[]> values);

    /** Opens a member of a share group. */
    ShareConsumer<byte[], byte[]> openShareConsumer(
            Map<String, Object> properties, Deserializer<byte[]> keys, Deserializer<byte[]> values);

    /** Opens a producer, whose properties name its serializers. */
    Producer<byte[], byte[]> openProducer(Map<String, Object> properties);

    /** Opens an admin client. */
    Admin openAdmin(Map<String, Object> properties);

    /** The clients of the library. */
    enum LibraryClients implements KafkaClients {
        INSTANCE;

        @Override
        public Consumer<byte[], byte[]> openConsumer(
                Map<String, Object> properties, Deserializer<byte[]> keys, Deserializer<byte[]> values) {
            return new KafkaConsumer<>(properties, keys, values);
        }

        @Override
        public ShareConsumer<byte[], byte[]> openShareConsumer(
                Map<String, Object> properties, Deserializer<byte[]> keys, Deserializer<byte[]> values) {
            return new KafkaShareConsumer<>(properties, keys, values);
        }

        @Override
        public Producer<byte[], byte[]> openProducer(Map<String, Object> properties) {
            return new KafkaProducer<>(properties);
        }

        @Override
        public Admin openAdmin(Map<String, Object> properties) {
            return Admin.create(properties);
        }
    }
}
