package io.iocluster.kafka;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the members of the consumer group. Confined to the poll thread. */
final class ConsumerFactory {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerFactory.class);

    /** The broker's feature that the consumer group protocol (KIP-848) is part of. */
    private static final String GROUP_VERSION = "group.version";

    private static final long FEATURES_WITHIN_SECONDS = 2;

    private final ClientProperties properties;
    private final KafkaTopics topics;
    private boolean topicsMade;
    private boolean classic;

    ConsumerFactory(ClientProperties properties, KafkaTopics topics) {
        this.properties = properties;
        this.topics = topics;
    }

    /** Makes missing topics once, if the settings ask for it, and a consumer. Throws what the clients throw. */
    Consumer<byte[], byte[]> open() {
        if (!topicsMade) {
            topics.createMissing();
            topicsMade = true;
        }
        if (mayFallBack() && !offersConsumerProtocol()) {
            fallBack("it lacks the feature " + GROUP_VERSION);
        }
        return new KafkaConsumer<>(properties.consumer(classic));
    }

    /** Whether the group's protocol may still be changed to the classic one. */
    boolean mayFallBack() {
        return !classic && properties.protocolIsFree();
    }

    /** From now on consumers use the classic protocol. */
    void fallBack(String reason) {
        LOG.info("The broker does not take the consumer group protocol ({}); using the classic one", reason);
        classic = true;
    }

    /**
     * Asks first, because a consumer that is refused logs an error that is none. A broker that does not say is taken for one
     * that does.
     */
    private boolean offersConsumerProtocol() {
        Admin admin = Admin.create(properties.admin("features"));
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
