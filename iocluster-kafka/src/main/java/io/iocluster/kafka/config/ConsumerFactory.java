package io.iocluster.kafka.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the consumers of one consumer group. Confined to the poll thread. */
public final class ConsumerFactory {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerFactory.class);

    private final String role;
    private final KafkaConnections connections;
    private final TopicPreparation topics;
    private final Function<Boolean, Map<String, Object>> member;
    private final BoundedBytesDeserializer keys;
    private final BoundedBytesDeserializer values;
    private boolean probed;
    private boolean classic;

    /**
     * Creates a factory for one group.
     *
     * @param role part of the client ids
     * @param member returns the properties of a consumer; its argument is true for the classic group protocol
     * @param maxRecordBytes maximum bytes of a key, a value or all headers of a record; larger ones are dropped
     */
    public ConsumerFactory(
            String role,
            KafkaConnections connections,
            KafkaTopicAdmin topics,
            Function<Boolean, Map<String, Object>> member,
            long maxRecordBytes) {
        this.role = role;
        this.connections = connections;
        this.topics = new TopicPreparation(topics, role);
        this.member = member;
        this.keys = new BoundedBytesDeserializer(maxRecordBytes);
        this.values = keys.ofValues();
    }

    /**
     * Creates a consumer. The first call also creates missing topics, if the settings enable it, and chooses the group
     * protocol.
     *
     * @throws org.apache.kafka.common.KafkaException if a client fails
     */
    public Consumer<byte[], byte[]> open() {
        topics.prepare();
        if (!probed) {
            chooseProtocol();
            probed = true;
        }
        Map<String, Object> consumer = new HashMap<>(member.apply(classic));
        topics.limitPoll(consumer);
        return connections.openConsumer(consumer, keys, values);
    }

    /**
     * Polls a consumer that was {@linkplain #open opened} here.
     *
     * @param maxBytes how many bytes of keys, headers and values the poll may return; it returns at least one record
     */
    public ConsumerRecords<byte[], byte[]> poll(Consumer<byte[], byte[]> consumer, Duration timeout, long maxBytes) {
        keys.setPollBudget(maxBytes);
        ConsumerRecords<byte[], byte[]> records = consumer.poll(timeout);
        records.forEach(keys::limitHeadersOfEmptyRecord);
        return records;
    }

    /** Queries the broker first, because a consumer that is rejected logs a misleading error. */
    private void chooseProtocol() {
        ClientProperties properties = connections.properties();
        boolean automatic = properties.isGroupProtocolAutomatic();
        if (!automatic && !properties.requiresConsumerProtocol()) {
            return;
        }
        String group = (String) member.apply(classic).get(ConsumerConfig.GROUP_ID_CONFIG);
        String reason = new GroupProtocolProbe(connections, role + "-protocol", group).reasonForClassic();
        if (reason != null && automatic) {
            fallBack(reason);
        } else if (reason != null) {
            LOG.warn(
                    "Takeover from a killed node may take longer than {} s; set group.consumer.session.timeout.ms and"
                            + " group.consumer.min.session.timeout.ms on the brokers, or remove group.protocol from"
                            + " kafka.properties group={} reason={}",
                    GroupProtocolProbe.MAX_SESSION_TIMEOUT.toSeconds(),
                    group,
                    reason);
        }
    }

    private boolean mayFallBack() {
        return !classic && connections.properties().isGroupProtocolAutomatic();
    }

    /**
     * Switches to the classic group protocol if the failure means that the broker does not support the configured one.
     *
     * @return whether it switched, so that the caller opens a new consumer
     */
    public boolean fallBackAfter(Throwable failure) {
        if (!mayFallBack() || !isProtocolMismatch(failure)) {
            return false;
        }
        fallBack(failure.getMessage());
        return true;
    }

    private static boolean isProtocolMismatch(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnsupportedVersionException
                    || cause instanceof InconsistentGroupProtocolException
                    || cause instanceof GroupIdNotFoundException) {
                return true;
            }
        }
        return false;
    }

    private void fallBack(String reason) {
        LOG.info("Using the classic group protocol reason={}", reason);
        classic = true;
    }
}
