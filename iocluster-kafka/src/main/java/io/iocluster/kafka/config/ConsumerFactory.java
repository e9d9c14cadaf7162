package io.iocluster.kafka.config;

import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the members of a consumer group. Confined to the thread that polls them. */
public final class ConsumerFactory {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerFactory.class);

    private final String role;
    private final ClientProperties properties;
    private final KafkaTopicAdmin topics;
    private final Function<Boolean, Map<String, Object>> member;
    private final BoundedBytesDeserializer keys;
    private final BoundedBytesDeserializer values;
    private boolean topicsMade;
    private boolean probed;
    private boolean classic;

    /**
     * A factory of one group's members.
     *
     * @param role what the members are for, which their clients' names say
     * @param member the properties of one, by whether it uses the classic protocol
     * @param maxRecordBytes the largest key, value or headers that are read
     */
    public ConsumerFactory(
            String role,
            ClientProperties properties,
            KafkaTopicAdmin topics,
            Function<Boolean, Map<String, Object>> member,
            long maxRecordBytes) {
        this.role = role;
        this.properties = properties;
        this.topics = topics;
        this.member = member;
        this.keys = new BoundedBytesDeserializer(maxRecordBytes);
        this.values = keys.ofValues();
    }

    /** Makes missing topics once, if the settings ask for it, and a consumer. Throws what the clients throw. */
    public Consumer<byte[], byte[]> open() {
        if (!topicsMade) {
            topics.createMissing(role);
            topics.warnIfCompressed(role);
            topicsMade = true;
        }
        if (!probed) {
            chooseProtocol();
            probed = true;
        }
        return new KafkaConsumer<>(member.apply(classic), keys, values);
    }

    /** Sets how many bytes of keys, headers and values the next poll may return. */
    public void setPollBudget(long bytes) {
        keys.setPollBudget(bytes);
    }

    /** Asks the broker first, because a refused consumer logs a misleading error. */
    private void chooseProtocol() {
        boolean free = properties.isGroupProtocolAutomatic();
        if (!free && !properties.requiresConsumerProtocol()) {
            return;
        }
        String group = (String) member.apply(classic).get(ConsumerConfig.GROUP_ID_CONFIG);
        String reason = new GroupProtocolProbe(properties.admin(role + "-protocol"), group).reasonForClassic();
        if (reason != null && free) {
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

    /** Whether the group's protocol may still be changed to the classic one. */
    private boolean mayFallBack() {
        return !classic && properties.isGroupProtocolAutomatic();
    }

    /** Whether this failure means the other protocol, with which consumers are made from now on. */
    public boolean fallBackAfter(Throwable failure) {
        if (!mayFallBack() || !isForeignProtocol(failure)) {
            return false;
        }
        fallBack(failure.getMessage());
        return true;
    }

    private static boolean isForeignProtocol(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnsupportedVersionException
                    || cause instanceof InconsistentGroupProtocolException
                    || cause instanceof GroupIdNotFoundException) {
                return true;
            }
        }
        return false;
    }

    /** From now on consumers use the classic protocol. */
    private void fallBack(String reason) {
        LOG.info("Using the classic group protocol reason={}", reason);
        classic = true;
    }
}
