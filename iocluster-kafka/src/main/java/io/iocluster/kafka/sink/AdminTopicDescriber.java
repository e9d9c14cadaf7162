package io.iocluster.kafka.sink;

import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.thread.StageFailure;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Describes topics with Kafka's admin client: one request for all names, and one for the limits of those that exist. */
final class AdminTopicDescriber implements TopicDescriber {

    private static final Logger LOG = LoggerFactory.getLogger(AdminTopicDescriber.class);

    private final KafkaConnections connections;
    private final String role;
    private volatile Admin admin;

    /** @param role part of the client id */
    AdminTopicDescriber(KafkaConnections connections, String role) {
        this.connections = connections;
        this.role = role;
    }

    /**
     * {@inheritDoc}
     *
     * @throws KafkaException if the admin client cannot be created
     */
    @Override
    public void open() {
        if (admin == null) {
            admin = connections.openAdmin(role);
        }
    }

    @Override
    public boolean isOpen() {
        return admin != null;
    }

    @Override
    public CompletionStage<Map<String, Description>> describe(Collection<String> topics) {
        Map<String, Description> found = new ConcurrentHashMap<>();
        try {
            return all(admin.describeTopics(topics).topicNameValues(), (topic, description, failure) -> {
                        if (failure == null) {
                            found.put(topic, new Description(null, false, Long.MAX_VALUE));
                        } else {
                            recordFailure(topic, failure, found);
                        }
                    })
                    .thenCompose(described -> limits(found))
                    .handle((described, failure) -> found);
        } catch (KafkaException closed) {
            LOG.debug("Topics not described; the client is closed", closed);
            return CompletableFuture.completedFuture(found);
        }
    }

    /** Adds the limits of the topics that exist. */
    private CompletionStage<Void> limits(Map<String, Description> found) {
        List<ConfigResource> existing = found.entrySet().stream()
                .filter(each -> each.getValue().problem() == null)
                .map(each -> new ConfigResource(ConfigResource.Type.TOPIC, each.getKey()))
                .toList();
        Map<ConfigResource, KafkaFuture<Config>> configs =
                existing.isEmpty() ? Map.of() : admin.describeConfigs(existing).values();
        return all(configs, (resource, config, failure) -> {
            if (failure == null) {
                found.put(resource.name(), new Description(null, false, KafkaTopicAdmin.maxMessageBytes(config)));
            }
        });
    }

    /** Receives the result of one of several futures. */
    @FunctionalInterface
    private interface ResultConsumer<K, V> {

        void accept(K key, V value, Throwable failure);
    }

    private static <K, V> CompletionStage<Void> all(Map<K, KafkaFuture<V>> futures, ResultConsumer<K, V> consumer) {
        return CompletableFuture.allOf(futures.entrySet().stream()
                .map(each -> each.getValue().toCompletionStage().handle((value, failure) -> {
                    consumer.accept(each.getKey(), value, failure);
                    return null;
                }))
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture[]::new));
    }

    private static void recordFailure(String topic, Throwable thrown, Map<String, Description> found) {
        Throwable failure = StageFailure.unwrap(thrown);
        if (failure instanceof UnknownTopicOrPartitionException || failure instanceof InvalidTopicException) {
            found.put(topic, new Description("the topic " + topic + " does not exist", true, 0));
        } else if (failure instanceof AuthorizationException) {
            found.put(topic, new Description(String.valueOf(failure.getMessage()), false, 0));
        } else {
            LOG.debug("Topic not described; broker unreachable topic={}", topic, failure);
        }
    }

    @Override
    public void close() {
        Admin last = admin;
        if (last != null) {
            last.close(Duration.ofMillis(500));
        }
    }
}
