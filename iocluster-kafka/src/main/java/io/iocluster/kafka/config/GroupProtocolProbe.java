package io.iocluster.kafka.config;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;

/**
 * Asks the broker whether it supports the consumer group protocol (KIP-848) and how fast it reassigns the partitions of
 * a killed member. With that protocol the broker sets the session timeout, whose default is 45 s; with the classic
 * protocol the member sets it. Stateless; each call opens a connection and blocks.
 */
final class GroupProtocolProbe {

    /** Longest acceptable session timeout of the group; if it is longer, the classic protocol is better. */
    static final Duration MAX_SESSION_TIMEOUT = Duration.ofSeconds(10);

    private static final String FEATURE = "group.version";
    private static final String SESSION_TIMEOUT = "consumer.session.timeout.ms";
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final KafkaConnections connections;
    private final String role;
    private final String group;

    /**
     * Creates a probe for one group.
     *
     * @param role part of the client id
     */
    GroupProtocolProbe(KafkaConnections connections, String role, String group) {
        this.connections = connections;
        this.role = role;
        this.group = group;
    }

    /** Returns why consumers should use the classic protocol; null if the consumer group protocol is suitable. */
    String reasonForClassic() {
        try (Admin client = connections.openAdmin(role)) {
            try {
                FinalizedVersionRange version = await(client.describeFeatures().featureMetadata())
                        .finalizedFeatures()
                        .get(FEATURE);
                if (version == null || version.maxVersionLevel() == 0) {
                    return "the broker lacks the feature " + FEATURE;
                }
                return sessionTimeoutReason(client);
            } catch (ExecutionException | TimeoutException unavailable) {
                return "the broker does not report its features";
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
                return "interrupted";
            } finally {
                client.close(Duration.ZERO);
            }
        }
    }

    private String sessionTimeoutReason(Admin client)
            throws ExecutionException, TimeoutException, InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
        ConfigEntry session = await(client.describeConfigs(List.of(resource)).all())
                .get(resource)
                .get(SESSION_TIMEOUT);
        if (session == null || session.value() == null) {
            return "the broker does not report the group's " + SESSION_TIMEOUT;
        }
        return Long.parseLong(session.value()) > MAX_SESSION_TIMEOUT.toMillis()
                ? "the group's " + SESSION_TIMEOUT + " is " + session.value()
                : null;
    }

    private <T> T await(KafkaFuture<T> future) throws ExecutionException, TimeoutException, InterruptedException {
        return connections.await(future, TIMEOUT);
    }
}
