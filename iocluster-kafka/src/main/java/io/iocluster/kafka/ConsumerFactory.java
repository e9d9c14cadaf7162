package io.iocluster.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the members of a consumer group. Confined to the thread that polls them. */
final class ConsumerFactory {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerFactory.class);

    /** The broker's feature that the consumer group protocol (KIP-848) is part of. */
    private static final String GROUP_VERSION = "group.version";

    private static final long FEATURES_WITHIN_SECONDS = 2;

    private final String role;
    private final ClientProperties properties;
    private final KafkaTopics topics;
    private final Function<Boolean, Map<String, Object>> member;
    private final BoundedBytes keys;
    private final BoundedBytes values;
    private boolean topicsMade;
    private boolean classic;

    /**
     * A factory of one group's members.
     *
     * @param role what the members are for, which their clients' names say
     * @param member the properties of one, by whether it uses the classic protocol
     * @param maxRecordBytes the largest key or value that is read
     */
    ConsumerFactory(
            String role,
            ClientProperties properties,
            KafkaTopics topics,
            Function<Boolean, Map<String, Object>> member,
            long maxRecordBytes) {
        this.role = role;
        this.properties = properties;
        this.topics = topics;
        this.member = member;
        this.keys = new BoundedBytes(maxRecordBytes);
        this.values = new BoundedBytes(maxRecordBytes);
    }

    /** Makes missing topics once, if the settings ask for it, and a consumer. Throws what the clients throw. */
    Consumer<byte[], byte[]> open() {
        if (!topicsMade) {
            topics.createMissing(role);
            topics.warnOfCompression(role);
            topicsMade = true;
        }
        if (mayFallBack() && !offersConsumerProtocol()) {
            fallBack("it lacks the feature " + GROUP_VERSION);
        }
        return new KafkaConsumer<>(member.apply(classic), keys, values);
    }

    /** Sets how many bytes of values the next poll may return. */
    void allow(long bytes) {
        values.allow(bytes);
    }

    /** Whether the group's protocol may still be changed to the classic one. */
    private boolean mayFallBack() {
        return !classic && properties.protocolIsFree();
    }

    /** Whether this failure means the other protocol, with which consumers are made from now on. */
    boolean fallsBackAfter(Throwable failure) {
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
        LOG.info("The broker does not take the consumer group protocol ({}); using the classic one", reason);
        classic = true;
    }

    /**
     * Asks first, because a consumer that is refused logs an error that is none. A broker that does not say is taken for one
     * that does.
     */
    private boolean offersConsumerProtocol() {
        Admin admin = Admin.create(properties.admin(role + "-features"));
        try {
            FinalizedVersionRange groups = admin.describeFeatures()
                    .featureMetadata()
                    .get(FEATURES_WITHIN_SECONDS, TimeUnit.SECONDS)
                    .finalizedFeatures()
                    .get(GROUP_VERSION);
            return groups != null && groups.maxVersionLevel() > 0;
        } catch (ExecutionException | TimeoutException silent) {
            LOG.debug("The broker does not say what it takes", silent);
            return true;
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return true;
        } finally {
            admin.close(Duration.ZERO);
        }
    }
}
