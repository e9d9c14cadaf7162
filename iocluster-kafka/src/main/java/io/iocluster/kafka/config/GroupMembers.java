package io.iocluster.kafka.config;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** Asks the broker for the members of the request group. Stateless; each call opens a connection and blocks. */
public final class GroupMembers {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final KafkaConnections connections;
    private final String group;

    public GroupMembers(KafkaConnections connections, String group) {
        this.connections = connections;
        this.group = group;
    }

    /**
     * Returns whether the group has no members but those of this node. A killed process of this node is a member until its session
     * ends.
     *
     * @return false if the broker does not answer within 5 s
     */
    public boolean areAllOfThisNode() {
        Object own = connections.properties().consumer(false).get(CommonClientConfigs.CLIENT_ID_CONFIG);
        try (Admin client = connections.openAdmin("source-members")) {
            try {
                return describe(client).members().stream()
                        .allMatch(member -> member.clientId().equals(own));
            } catch (ExecutionException failed) {
                return failed.getCause() instanceof GroupIdNotFoundException;
            } catch (TimeoutException unavailable) {
                return false;
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
                return false;
            } finally {
                client.close(Duration.ZERO);
            }
        } catch (KafkaException invalid) {
            return false; // The source logs it when it starts.
        }
    }

    private ConsumerGroupDescription describe(Admin client)
            throws ExecutionException, TimeoutException, InterruptedException {
        return connections.await(
                client.describeConsumerGroups(List.of(group)).describedGroups().get(group), TIMEOUT);
    }
}
