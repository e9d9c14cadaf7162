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
 * Distinguishes partitions that are newer than the group's start from older ones, for topics that the group starts at their
 * ends. A group that has committed a position in a topic has started it, and its commits say how many partitions there
 * were. A partition that was added later starts at its beginning, because all its records are newer than the group's start.
 * Confined to the poll thread.
 */
final class InitialPartitionCounts {

    private static final Duration COMMITTED_WITHIN = Duration.ofSeconds(5);

    private final KafkaSettings settings;
    /** For each log, the first partition number that is newer than the group's start if it has no committed position. */
    private final Map<Key, Integer> newFrom = new HashMap<>();

    /** A log under its topic's name, because brokers without topic ids give all logs the same id. */
    private record Key(String topic, ClusterTopicId log) {}

    InitialPartitionCounts(KafkaSettings settings) {
        this.settings = settings;
    }

    /** Returns the first partition number of the log that is new if it has no committed position; 0 if all are. */
    int initialPartitions(String topic, ClusterTopicId log) {
        return newFrom.getOrDefault(new Key(topic, log), 0);
    }

    /** Records a commit that was found. */
    void recordCommit(String topic, ClusterTopicId log, CommitMetadata.DecodedMetadata commit) {
        if (!(commit instanceof CommitMetadata.RecreatedTopic)) {
            int startedWith = commit instanceof CommitMetadata.CompletedOffsets runs ? runs.initialPartitions() : 0;
            newFrom.merge(new Key(topic, log), startedWith, Math::min);
        }
    }

    /** Records that each partition of the log starts at its beginning. */
    void recordStartAtBeginning(String topic, ClusterTopicId log) {
        newFrom.put(new Key(topic, log), 0);
    }

    /**
     * Finds the missing numbers of the logs with one request. Several nodes may start a group for the first time at the same
     * moment: the commit of one says that the partitions of the others existed.
     *
     * @param uncommitted partitions without a committed position
     */
    void load(Consumer<?, ?> consumer, Collection<KafkaPartition> uncommitted, Map<String, DescribedTopic> logs) {
        Set<TopicPartition> siblings = new HashSet<>();
        Map<Key, Integer> asked = new HashMap<>();
        for (KafkaPartition partition : uncommitted) {
            String topic = partition.id().topic();
            DescribedTopic log = logs.get(topic);
            Key key = new Key(topic, log.topicId());
            if (!startsAtEnd(topic)) {
                recordStartAtBeginning(topic, log.topicId());
            } else if (!newFrom.containsKey(key) && asked.put(key, log.partitions()) == null) {
                for (int i = 0; i < log.partitions(); i++) {
                    siblings.add(new TopicPartition(topic, i));
                }
            }
        }
        if (siblings.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(siblings, COMMITTED_WITHIN);
        newFrom.putAll(asked);
        committed.forEach((id, position) -> {
            if (position != null) {
                ClusterTopicId log = logs.get(id.topic()).topicId();
                recordCommit(id.topic(), log, CommitMetadata.decode(log, position.offset(), position.metadata()));
            }
        });
    }

    /** Delayed requests are never skipped. */
    private boolean startsAtEnd(String topic) {
        return settings.requests().autoOffsetReset() == AutoOffsetReset.LATEST
                && settings.requests().topics().contains(topic);
    }
}
