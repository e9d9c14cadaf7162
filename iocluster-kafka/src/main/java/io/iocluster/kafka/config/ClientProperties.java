package io.iocluster.kafka.config;

import io.iocluster.kafka.config.KafkaSettings.RequestMode;
import io.iocluster.kafka.requirement.AllowedTokenSources;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Builds the properties of each Kafka client from the user's properties and those that the node's guarantees need.
 * Immutable.
 */
public final class ClientProperties {

    /** Kafka's default of {@code buffer.memory}. */
    private static final int DEFAULT_BUFFER_BYTES = 32 << 20;

    /** Properties that cannot be overridden, each with the reason or the setting to use instead. */
    private static final Map<String, String> RESERVED = Map.ofEntries(
            Map.entry("bootstrap.servers", "use kafka.bootstrap-servers"),
            Map.entry("group.id", "use kafka.requests.group"),
            Map.entry("auto.offset.reset", "use kafka.requests.auto-offset-reset"),
            Map.entry("client.id", "it is derived from node.id"),
            Map.entry("enable.auto.commit", "only offsets of settled messages are committed"),
            Map.entry("key.deserializer", "keys are bytes"),
            Map.entry("value.deserializer", "envelopes are bytes"),
            Map.entry("key.serializer", "keys are bytes"),
            Map.entry("value.serializer", "envelopes are bytes"),
            Map.entry("acks", "an answer is confirmed when all in-sync replicas have it"),
            Map.entry("enable.idempotence", "a producer retry must not duplicate an answer"),
            Map.entry("retries", "the producer retries until an outage is over"),
            Map.entry("delivery.timeout.ms", "use kafka.confirm-timeout"),
            Map.entry("max.block.ms", "event loops must not block"),
            Map.entry("transactional.id", "answers are not published in transactions"),
            Map.entry("share.acknowledgement.mode", "each message is acknowledged when it is settled"));

    /** Properties of a member of a consumer group that a member of a share group does not have. */
    private static final Set<String> CONSUMER_GROUP_ONLY = Set.of(
            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
            ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG,
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);

    /** Properties that the consumer group protocol (KIP-848) rejects. If one is set, the classic protocol is used. */
    private static final Set<String> CLASSIC_ONLY = Set.of(
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);

    private static final int DEFAULT_REQUEST_TIMEOUT_MS = 30_000;

    /** The minimum that a broker allows by default ({@code group.min.session.timeout.ms}), for a fast takeover. */
    private static final int SESSION_TIMEOUT_MS = 6_000;

    private static final int HEARTBEAT_INTERVAL_MS = 2_000;

    /** Consumers wait for an open transaction, so a killed replay must not delay them for long. */
    private static final int TRANSACTION_TIMEOUT_MS = 31_000;

    /**
     * How often a consumer or a producer requests the partitions of its topics. With Kafka's default of five minutes,
     * calls in added partitions expire before a node reads them.
     */
    private static final int METADATA_MAX_AGE_MS = 2_000;

    private static final int CLUSTER_REQUEST_TIMEOUT_MS = 2_000;
    private static final int CLUSTER_POLL_RECORDS = 100;
    private static final int CLUSTER_BUFFER_BYTES = 1 << 20;

    private final KafkaSettings settings;
    private final String nodeId;

    /**
     * Creates the properties of one node or client, whose id becomes part of each {@code client.id}. Allows the Kafka
     * clients of this JVM to use the token endpoint that the settings name.
     */
    public ClientProperties(KafkaSettings settings, String nodeId) {
        this.settings = settings;
        this.nodeId = nodeId;
        AllowedTokenSources.allow(settings.properties());
    }

    /** Returns the addresses of the brokers that clients ask first. */
    public String bootstrapServers() {
        return settings.bootstrapServers();
    }

    /** Returns why the user cannot set the property; null if the user can. */
    static String reasonReserved(String property, RequestMode mode) {
        return mode == RequestMode.SHARE && CONSUMER_GROUP_ONLY.contains(property)
                ? "a share group does not have it; remove it, or set kafka.requests.mode: consumer"
                : RESERVED.get(property);
    }

    /** Returns whether the node chooses the group protocol, because the configuration does not. */
    boolean isGroupProtocolAutomatic() {
        return !settings.properties().containsKey(ConsumerConfig.GROUP_PROTOCOL_CONFIG)
                && CLASSIC_ONLY.stream().noneMatch(settings.properties()::containsKey);
    }

    /** Returns whether the configuration selects the consumer group protocol (KIP-848). */
    boolean requiresConsumerProtocol() {
        return "consumer".equalsIgnoreCase(settings.properties().get(ConsumerConfig.GROUP_PROTOCOL_CONFIG));
    }

    /** Returns whether the producer compresses, so that the size of a record does not tell its size on the broker. */
    public boolean isCompressionEnabled() {
        return !"none".equals(settings.properties().getOrDefault(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none"));
    }

    /** Returns the properties of a consumer in the request group. */
    public Map<String, Object> consumer(boolean classic) {
        return member("source", settings.requests().group(), classic);
    }

    /** Returns the properties of a consumer in the group that reads the delay topics. It skips no records. */
    public Map<String, Object> delayedRetryConsumer(boolean classic) {
        Map<String, Object> properties = member("delayed", settings.requests().group() + "-delayed", classic);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500);
        return properties;
    }

    private Map<String, Object> member(String role, String group, boolean classic) {
        Map<String, Object> properties = standaloneConsumer(role);
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        if (classic || !isGroupProtocolAutomatic()) {
            properties.putIfAbsent(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        } else {
            properties.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "consumer");
        }
        if ("classic".equalsIgnoreCase((String) properties.get(ConsumerConfig.GROUP_PROTOCOL_CONFIG))) {
            properties.putIfAbsent(
                    ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
            properties.putIfAbsent(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MS);
            properties.putIfAbsent(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_INTERVAL_MS);
        }
        return properties;
    }

    /**
     * Returns the properties of a member of the share group.
     *
     * @param number distinguishes the members of this node
     */
    public Map<String, Object> shareConsumer(int number) {
        Map<String, Object> properties = standaloneConsumer("share-" + number);
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, settings.requests().group());
        properties.put(ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG, "explicit");
        // Otherwise the client buffers whole batches of a producer, whose locks end before the records can be offered.
        properties.putIfAbsent(ConsumerConfig.SHARE_ACQUIRE_MODE_CONFIG, "record_limit");
        // A consumer polls only when its last records are settled, which may take as long as a call.
        properties.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, Integer.MAX_VALUE);
        properties.remove(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG);
        properties.remove(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG);
        properties.remove(ConsumerConfig.ISOLATION_LEVEL_CONFIG);
        return properties;
    }

    /** Returns whether requests in aborted transactions are skipped. */
    public boolean isReadCommitted() {
        return !"read_uncommitted".equals(settings.properties().get(ConsumerConfig.ISOLATION_LEVEL_CONFIG));
    }

    /** Returns the properties of a consumer without a group. */
    public Map<String, Object> standaloneConsumer(String role) {
        Map<String, Object> properties = client(role);
        properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        // The source seeks by itself, because a reset policy skips messages if a position is out of range.
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        properties.putIfAbsent(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        // A response is one array. With Kafka's defaults it is so large that the old generation fills under load.
        properties.putIfAbsent(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 512 << 10);
        properties.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 << 20);
        // A request in an aborted transaction must not be called.
        properties.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        return properties;
    }

    /** Returns the properties of a producer of answers, whose sends fail after {@code kafka.confirm-timeout}. */
    public Map<String, Object> answerProducer(String role) {
        Map<String, Object> properties = producer(role);
        int timeout = (int) settings.confirmTimeout().toMillis();
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeout);
        // The client requires that linger and request timeout together do not exceed the delivery timeout.
        Object request = properties.getOrDefault(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, DEFAULT_REQUEST_TIMEOUT_MS);
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.min(parseInt(request), timeout / 2));
        properties.computeIfPresent(
                ProducerConfig.LINGER_MS_CONFIG, (name, set) -> Math.min(parseInt(set), timeout / 2));
        return properties;
    }

    private static int parseInt(Object set) {
        return Integer.parseInt(String.valueOf(set).trim());
    }

    /** Returns the properties of a producer whose sends never time out. */
    public Map<String, Object> producer(String role) {
        Map<String, Object> properties = client(role);
        properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        // The sending thread may be an event loop, which must not block; the publisher's thread waits instead.
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0);
        properties.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10);
        // The topic's limit applies, not the client's.
        properties.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 32 << 20);
        return properties;
    }

    /** Returns the largest record, in bytes, that the producer of the answers accepts. */
    long maxAnswerRecord() {
        Map<String, Object> properties = answerProducer("sink");
        return Math.min(
                parseLong(properties.get(ProducerConfig.MAX_REQUEST_SIZE_CONFIG)),
                parseLong(properties.getOrDefault(ProducerConfig.BUFFER_MEMORY_CONFIG, DEFAULT_BUFFER_BYTES)));
    }

    private static long parseLong(Object set) {
        return Long.parseLong(String.valueOf(set).trim());
    }

    /** Returns the properties of a producer of requests, which spreads them evenly over the nodes. */
    public Map<String, Object> requestProducer(String role, RandomGenerator random) {
        Map<String, Object> properties = producer(role);
        properties.putIfAbsent(ProducerConfig.PARTITIONER_CLASS_CONFIG, EvenPartitioner.class.getName());
        properties.put(EvenPartitioner.RANDOM_CONFIG, random);
        return properties;
    }

    /** Returns the properties of a producer that publishes in transactions, on a thread that may block. */
    public Map<String, Object> transactionalProducer(String role, String transactionalId) {
        Map<String, Object> properties = producer(role);
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, TRANSACTION_TIMEOUT_MS);
        properties.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MS);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, TRANSACTION_TIMEOUT_MS);
        return properties;
    }

    /** Returns the properties of the consumer of announcements, which starts at the end of their topic. */
    public Map<String, Object> clusterConsumer() {
        Map<String, Object> properties = standaloneConsumer("cluster");
        properties.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        // Another producer's open transaction must not hide the nodes.
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, CLUSTER_POLL_RECORDS);
        properties.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, CLUSTER_BUFFER_BYTES);
        properties.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, CLUSTER_BUFFER_BYTES);
        return properties;
    }

    /** Returns the properties of the producer of announcements, which gives up early because the next one replaces each. */
    public Map<String, Object> clusterProducer() {
        Map<String, Object> properties = producer("cluster");
        properties.put(ProducerConfig.ACKS_CONFIG, "1");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, 0);
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, CLUSTER_BUFFER_BYTES);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, CLUSTER_REQUEST_TIMEOUT_MS);
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, CLUSTER_REQUEST_TIMEOUT_MS);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 2 * CLUSTER_REQUEST_TIMEOUT_MS);
        return properties;
    }

    /** Returns the properties of an admin client. */
    public Map<String, Object> admin(String role) {
        Map<String, Object> properties = common(role);
        properties.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        properties.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000);
        return properties;
    }

    /** Returns the properties that each consumer and each producer has. */
    private Map<String, Object> client(String role) {
        Map<String, Object> properties = common(role);
        properties.putIfAbsent(CommonClientConfigs.METADATA_MAX_AGE_CONFIG, METADATA_MAX_AGE_MS);
        return properties;
    }

    private Map<String, Object> common(String role) {
        Map<String, Object> properties = new HashMap<>(settings.properties());
        properties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers());
        properties.put(CommonClientConfigs.CLIENT_ID_CONFIG, "iocluster-" + nodeId + "-" + role);
        properties.putIfAbsent(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
        return properties;
    }
}
