package io.iocluster.kafka;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** Makes the members of the consumer group. Confined to the poll thread. */
final class ConsumerFactory {

    private final ClientProperties properties;
    private final KafkaTopics topics;
    private boolean topicsMade;

    ConsumerFactory(ClientProperties properties, KafkaTopics topics) {
        this.properties = properties;
        this.topics = topics;
    }

    /** Whether the group's protocol may be changed to the one that the broker takes. */
    boolean protocolIsFree() {
        return properties.protocolIsFree();
    }

    /** Makes missing topics once, if the settings ask for it, and a consumer. Throws what the clients throw. */
    Consumer<byte[], byte[]> open(boolean classic) {
        if (!topicsMade) {
            topics.createMissing();
            topicsMade = true;
        }
        return new KafkaConsumer<>(properties.consumer(classic));
    }
}
