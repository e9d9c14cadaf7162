package io.iocluster.kafka.source;

import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.AutoOffsetReset;
import io.iocluster.kafka.ledger.ClusterTopicId;
import io.iocluster.kafka.ledger.CommitMetadata;
import io.iocluster.kafka.ledger.KafkaPartition;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Remembers how many partitions a topic had when the consumer group first read it from the end. Each offset commit of
 * the group contains that number. A partition that was added later starts at its beginning, because all its records
 * are newer than the group. Confined to the poll thread.
 */
final class InitialPartitionCounts {

    private static final Duration COMMITTED_WITHIN = Duration.ofSeconds(5);

    private final KafkaSettings settings;
    /** For each topic, the lowest partition number that starts at its beginning if it has no committed offset. */
    private final Map<Key, Integer> byTopic = new HashMap<>();

    /** Topic id and name, because brokers without topic ids give all topics the same id. */
    private record Key(String topic, ClusterTopicId topicId) {}

    InitialPartitionCounts(KafkaSettings settings) {
        this.settings = settings;
    }

    /** Returns the lowest partition number that starts at its beginning if it has no committed offset; 0 if all do. */
    int initialPartitions(String topic, ClusterTopicId topicId) {
        return byTopic.getOrDefault(new Key(topic, topicId), 0);
    }

    /** Records the metadata of a committed offset. */
    void recordCommit(String topic, ClusterTopicId topicId, CommitMetadata.DecodedMetadata commit) {
        if (!(commit instanceof CommitMetadata.RecreatedTopic)) {
            int partitions = commit instanceof CommitMetadata.CompletedOffsets known ? known.initialPartitions() : 0;
            byTopic.merge(new Key(topic, topicId), partitions, Math::min);
        }
    }

    /** Records that each partition of the topic starts at its beginning. */
    void recordStartAtBeginning(String topic, ClusterTopicId topicId) {
        byTopic.put(new Key(topic, topicId), 0);
    }

    /**
     * Loads the missing numbers with one request. If several nodes start a new group at the same time, the commit of
     * one node tells the others that their partitions existed.
     *
     * @param uncommitted partitions without a committed offset
     */
    void load(Consumer<?, ?> consumer, Collection<KafkaPartition> uncommitted, Map<String, DescribedTopic> topics) {
        Set<TopicPartition> siblings = new HashSet<>();
        Map<Key, Integer> missing = new HashMap<>();
        for (KafkaPartition partition : uncommitted) {
            String topic = partition.id().topic();
            DescribedTopic described = topics.get(topic);
            Key key = new Key(topic, described.topicId());
            if (!startsAtEnd(topic)) {
                recordStartAtBeginning(topic, described.topicId());
            } else if (!byTopic.containsKey(key) && missing.put(key, described.partitions()) == null) {
                for (int i = 0; i < described.partitions(); i++) {
                    siblings.add(new TopicPartition(topic, i));
                }
            }
        }
        if (siblings.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(siblings, COMMITTED_WITHIN);
        byTopic.putAll(missing);
        committed.forEach((id, position) -> {
            if (position != null) {
                ClusterTopicId topicId = topics.get(id.topic()).topicId();
                recordCommit(
                        id.topic(), topicId, CommitMetadata.decode(topicId, position.offset(), position.metadata()));
            }
        });
    }

    /** Delayed retries are never skipped. */
    private boolean startsAtEnd(String topic) {
        return settings.requests().autoOffsetReset() == AutoOffsetReset.LATEST
                && settings.requests().topics().contains(topic);
    }
}
