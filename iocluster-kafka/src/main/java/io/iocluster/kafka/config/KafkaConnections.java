package io.iocluster.kafka.config;

import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;

/** What the parts of one node or one Java client use to reach the brokers: its properties, the clients and the platform. Immutable. */
public final class KafkaConnections {

    private final KafkaSettings settings;
    private final String name;
    private final ClientProperties properties;
    private final KafkaClients clients;
    private final Platform platform;

    /**
     * Creates the connections of one node or client. They are opened later.
     *
     * @param name part of each Kafka client id
     */
    public KafkaConnections(KafkaSettings settings, String name, KafkaClients clients, Platform platform) {
        this.settings = settings;
        this.name = name;
        this.properties = new ClientProperties(settings, name);
        this.clients = clients;
        this.platform = platform;
    }

    /** Creates connections with the clients of the Kafka library, on the platform of the operating system. */
    public static KafkaConnections ofSystem(KafkaSettings settings, String name) {
        return new KafkaConnections(settings, name, KafkaClients.library(), Platform.system());
    }

    public KafkaSettings settings() {
        return settings;
    }

    /** Returns the id of the node or the name of the client. */
    public String name() {
        return name;
    }

    public ClientProperties properties() {
        return properties;
    }

    public Platform platform() {
        return platform;
    }

    /** Opens an admin client with this role in its client id. */
    public Admin openAdmin(String role) {
        return clients.openAdmin(properties.admin(role));
    }

    /** Opens a consumer that deserializes byte arrays of any length. */
    public Consumer<byte[], byte[]> openConsumer(Map<String, Object> consumer) {
        return openConsumer(consumer, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Opens a consumer. */
    public Consumer<byte[], byte[]> openConsumer(
            Map<String, Object> consumer, Deserializer<byte[]> keys, Deserializer<byte[]> values) {
        return clients.openConsumer(consumer, keys, values);
    }

    /** Opens a member of a share group. */
    public ShareConsumer<byte[], byte[]> openShareConsumer(
            Map<String, Object> consumer, Deserializer<byte[]> keys, Deserializer<byte[]> values) {
        return clients.openShareConsumer(consumer, keys, values);
    }

    /** Opens a producer. */
    public Producer<byte[], byte[]> openProducer(Map<String, Object> producer) {
        return clients.openProducer(producer);
    }

    /**
     * Blocks until the broker has answered, at most for this time.
     *
     * @throws ExecutionException if the request failed
     * @throws TimeoutException if the broker has not answered in time
     */
    public <T> T await(KafkaFuture<T> answer, Duration within)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (!platform.await(answer, within)) {
            throw new TimeoutException();
        }
        return answer.get();
    }
}
