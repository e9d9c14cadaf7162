package io.iocluster.kafka.source;

import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.ledger.ClusterTopicId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Looks up topic ids by topic name. Confined to the thread of the end offset monitor, except {@link #latest}. */
final class TopicIdLookup {

    private static final Duration TIMEOUT = Duration.ofSeconds(6);

    private final KafkaConnections connections;
    private final List<String> topics;
    private volatile Map<String, DescribedTopic> latest = Map.of();
    private String cluster;

    TopicIdLookup(KafkaConnections connections) {
        this.connections = connections;
        this.topics = connections.settings().consumedTopics();
    }

    /** Returns the last result by topic name, without topics that did not exist. Any thread. */
    Map<String, DescribedTopic> latest() {
        return latest;
    }

    /** Queries the broker and returns the result. Blocks. */
    Map<String, DescribedTopic> fetch(Admin admin) throws InterruptedException, ExecutionException, TimeoutException {
        if (cluster == null) {
            cluster = String.valueOf(await(admin.describeCluster().clusterId()));
        }
        Map<String, DescribedTopic> answer = new HashMap<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> described :
                admin.describeTopics(topics).topicNameValues().entrySet()) {
            try {
                TopicDescription topic = await(described.getValue());
                ClusterTopicId id = new ClusterTopicId(cluster, topic.topicId());
                answer.put(
                        described.getKey(),
                        new DescribedTopic(id, topic.partitions().size()));
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
            }
        }
        latest = Map.copyOf(answer);
        return latest;
    }

    private <T> T await(KafkaFuture<T> future) throws InterruptedException, ExecutionException, TimeoutException {
        return connections.await(future, TIMEOUT);
    }
}
