package io.iocluster.kafka.source;

import io.iocluster.kafka.ledger.ClusterTopicId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Asks which logs stand behind the names of some topics. Confined to the monitor's thread, but for {@link #latest}. */
final class TopicIdLookup {

    private static final long ANSWER_WITHIN_SECONDS = 6;

    private final List<String> topics;
    private volatile Map<String, DescribedTopic> latest = Map.of();
    private String cluster;

    TopicIdLookup(List<String> topics) {
        this.topics = topics;
    }

    /** The last answer, by topic; a topic that did not exist is not in it. Any thread. */
    Map<String, DescribedTopic> latest() {
        return latest;
    }

    /** Asks, and gives the answer. */
    Map<String, DescribedTopic> fetch(Admin admin) throws InterruptedException, ExecutionException, TimeoutException {
        if (cluster == null) {
            cluster = String.valueOf(within(admin.describeCluster().clusterId()));
        }
        Map<String, DescribedTopic> answer = new HashMap<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> asked :
                admin.describeTopics(topics).topicNameValues().entrySet()) {
            try {
                TopicDescription topic = within(asked.getValue());
                ClusterTopicId id = new ClusterTopicId(cluster, topic.topicId());
                answer.put(
                        asked.getKey(),
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

    private static <T> T within(KafkaFuture<T> asked)
            throws InterruptedException, ExecutionException, TimeoutException {
        return asked.get(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS);
    }
}
