package io.iocluster.kafka.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The properties of each client: the user's, with those that the node's promises rest on. Immutable. */
public final class ClientProperties {

    /** What cannot be overridden, and the reason or the setting to use instead. */
    private static final Map<String, String> OWNED = Map.ofEntries(
            Map.entry("bootstrap.servers", "use kafka.bootstrap-servers"),
            Map.entry("group.id", "use kafka.requests.group"),
            Map.entry("auto.offset.reset", "use kafka.requests.auto-offset-reset"),
            Map.entry("client.id", "it is made of node.id"),
            Map.entry("enable.auto.commit", "positions move only over settled messages"),
            Map.entry("key.deserializer", "keys travel as bytes"),
            Map.entry("value.deserializer", "envelopes travel as bytes"),
            Map.entry("key.serializer", "keys travel as bytes"),
            Map.entry("value.serializer", "envelopes travel as bytes"),
            Map.entry("acks", "an answer counts when all replicas in sync hold it"),
            Map.entry("enable.idempotence", "a retry of the producer must not repeat an answer"),
            Map.entry("retries", "an outage is waited out"),
            Map.entry("delivery.timeout.ms", "use kafka.confirm-timeout"),
            Map.entry("max.block.ms", "an outage is waited out"),
            Map.entry("transactional.id", "answers are not written in transactions"));

    /** What the consumer protocol refuses; a configuration that has one of them asks for the classic one. */
    private static final Set<String> CLASSIC_ONLY = Set.of(
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);

    private static final int USUAL_REQUEST_TIMEOUT_MS = 30_000;

    /** The shortest that a broker allows by default ({@code group.min.session.timeout.ms}); then other members take over. */
    private static final int SESSION_TIMEOUT_MS = 6_000;

    private static final int HEARTBEAT_INTERVAL_MS = 2_000;

    private final KafkaSettings settings;
    private final String nodeId;

    public ClientProperties(KafkaSettings settings, String nodeId) {
        this.settings = settings;
        this.nodeId = nodeId;
    }

    /** Why the user cannot set the property; null if the user can. */
    static String reasonReserved(String property) {
        return OWNED.get(property);
    }

    /** Whether the configuration leaves the choice of the group's protocol to the node. */
    boolean isGroupProtocolAutomatic() {
        return !settings.properties().containsKey(ConsumerConfig.GROUP_PROTOCOL_CONFIG)
                && CLASSIC_ONLY.stream().noneMatch(settings.properties()::containsKey);
    }

    /** Returns whether the configuration selects the consumer group protocol (KIP-848). */
    boolean requiresConsumerProtocol() {
        return "consumer".equalsIgnoreCase(settings.properties().get(ConsumerConfig.GROUP_PROTOCOL_CONFIG));
    }

    /** Whether the size of a message says little about the bytes that reach the broker. */
    public boolean isCompressionEnabled() {
        return !"none".equals(settings.properties().getOrDefault(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none"));
    }

    /** For the member of the consumer group. */
    public Map<String, Object> consumer(boolean classic) {
        return member("source", settings.requests().group(), classic);
    }

    /** For the member of the group that moves what was put off; it holds little, and leaves nothing out. */
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

    /** For a reader outside of any group. */
    public Map<String, Object> standaloneConsumer(String role) {
        Map<String, Object> properties = common(role);
        properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        // The source seeks itself: what a reset policy would do on a position out of range skips messages.
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        properties.putIfAbsent(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        // A response is one array. With Kafka's own limits it is so large that under load the old generation fills.
        properties.putIfAbsent(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 512 << 10);
        properties.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 << 20);
        // A request in an aborted transaction was never made.
        properties.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        return properties;
    }

    /** For a publisher of answers, each of which fails after {@code kafka.confirm-timeout}. */
    public Map<String, Object> answerProducer(String role) {
        Map<String, Object> properties = producer(role);
        int timeout = (int) settings.confirmTimeout().toMillis();
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeout);
        // The client requires that both together do not exceed the delivery timeout.
        Object request = properties.getOrDefault(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, USUAL_REQUEST_TIMEOUT_MS);
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.min(number(request), timeout / 2));
        properties.computeIfPresent(ProducerConfig.LINGER_MS_CONFIG, (name, set) -> Math.min(number(set), timeout / 2));
        return properties;
    }

    private static int number(Object set) {
        return Integer.parseInt(String.valueOf(set).trim());
    }

    public Map<String, Object> producer(String role) {
        Map<String, Object> properties = common(role);
        properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        // The thread that sends may be a worker's, which never waits; the publisher does the waiting.
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0);
        properties.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10);
        // The topic's own limit decides, not the client's.
        properties.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 32 << 20);
        return properties;
    }

    public Map<String, Object> admin(String role) {
        Map<String, Object> properties = common(role);
        properties.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        properties.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000);
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
