package io.iocluster.kafka.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;

/**
 * Asks the broker whether it offers the consumer group protocol (KIP-848) and how soon that protocol gives the partitions of a
 * killed member to others. Only the broker sets that time, and its default is 45 s; with the classic protocol the member sets
 * it. Stateless; each question makes a connection and blocks.
 */
final class GroupProtocolProbe {

    /** A longer session timeout of the group makes the classic protocol the better choice. */
    static final Duration MAX_SESSION_TIMEOUT = Duration.ofSeconds(10);

    private static final String FEATURE = "group.version";
    private static final String SESSION_TIMEOUT = "consumer.session.timeout.ms";
    private static final long ANSWER_WITHIN_SECONDS = 2;

    private final Map<String, Object> admin;
    private final String group;

    /**
     * Creates a probe for one group.
     *
     * @param admin the properties of an admin client
     */
    GroupProtocolProbe(Map<String, Object> admin, String group) {
        this.admin = admin;
        this.group = group;
    }

    /** Returns why members should use the classic protocol, or null if the new one is suitable. */
    String reasonForClassic() {
        try (Admin client = Admin.create(admin)) {
            try {
                FinalizedVersionRange version = answer(client.describeFeatures().featureMetadata())
                        .finalizedFeatures()
                        .get(FEATURE);
                if (version == null || version.maxVersionLevel() == 0) {
                    return "the broker lacks the feature " + FEATURE;
                }
                return reasonOfSession(client);
            } catch (ExecutionException | TimeoutException silent) {
                return "the broker does not report its features";
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
                return "interrupted";
            } finally {
                client.close(Duration.ZERO);
            }
        }
    }

    private String reasonOfSession(Admin client) throws ExecutionException, TimeoutException, InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
        ConfigEntry session = answer(client.describeConfigs(List.of(resource)).all())
                .get(resource)
                .get(SESSION_TIMEOUT);
        if (session == null || session.value() == null) {
            return "the broker does not report the group's " + SESSION_TIMEOUT;
        }
        return Long.parseLong(session.value()) > MAX_SESSION_TIMEOUT.toMillis()
                ? "the group's " + SESSION_TIMEOUT + " is " + session.value()
                : null;
    }

    private static <T> T answer(KafkaFuture<T> asked)
            throws ExecutionException, TimeoutException, InterruptedException {
        return asked.get(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS);
    }
}
