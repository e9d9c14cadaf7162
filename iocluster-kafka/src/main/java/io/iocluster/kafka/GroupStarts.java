package io.iocluster.kafka;

import io.iocluster.kafka.KafkaSettings.Start;
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
 * Tells partitions that are newer than the group's start from those that were there, for topics that the group starts at
 * their ends. A group that has committed a position in a topic has started it, and its commits say how many partitions there
 * were. A partition that was added later starts at its beginning, because all it holds came after the group's start.
 * Confined to the poll thread.
 */
final class GroupStarts {

    private static final Duration COMMITTED_WITHIN = Duration.ofSeconds(5);

    private final KafkaSettings settings;
    /** For each log, from which partition on one without a committed position is newer than the group's start. */
    private final Map<LogId, Integer> newFrom = new HashMap<>();

    GroupStarts(KafkaSettings settings) {
        this.settings = settings;
    }

    /** From which partition of the log on one without a committed position is new; 0 if all are. */
    int newFrom(LogId log) {
        return newFrom.getOrDefault(log, 0);
    }

    /** Takes note of a commit that was found. */
    void committed(LogId log, CompletedRanges.Found commit) {
        if (!(commit instanceof CompletedRanges.OtherLog)) {
            newFrom.merge(log, commit instanceof CompletedRanges.Runs runs ? runs.startedWith() : 0, Math::min);
        }
    }

    /** Takes note that each partition of the log starts at its beginning. */
    void startsAtBeginning(LogId log) {
        newFrom.put(log, 0);
    }

    /**
     * Finds the numbers of the logs for which they are not known yet, with one request. The first start of a group by several
     * nodes at the same time is no trap: the commit of one says that the partitions of the other were there.
     *
     * @param uncommitted partitions without a committed position
     */
    void find(Consumer<?, ?> consumer, Collection<KafkaPartition> uncommitted, Map<String, TopicLog> logs) {
        Set<TopicPartition> siblings = new HashSet<>();
        Map<LogId, Integer> asked = new HashMap<>();
        for (KafkaPartition partition : uncommitted) {
            String topic = partition.id().topic();
            TopicLog log = logs.get(topic);
            if (!startsAtEnd(topic)) {
                startsAtBeginning(log.id());
            } else if (!newFrom.containsKey(log.id()) && asked.put(log.id(), log.partitions()) == null) {
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
                LogId log = logs.get(id.topic()).id();
                committed(log, CompletedRanges.decode(log, position.offset(), position.metadata()));
            }
        });
    }

    /** What was put off is never left out. */
    private boolean startsAtEnd(String topic) {
        return settings.requests().start() == Start.LATEST
                && settings.requests().topics().contains(topic);
    }
}
