package io.iocluster.kafka.ledger;

import org.apache.kafka.common.Uuid;

/**
 * Identity of a topic: cluster id and topic id. A topic that is deleted and created again has another identity. A mirror of the topic
 * on another cluster also has another one.
 *
 * @param topic {@link Uuid#ZERO_UUID} if the broker has no topic ids
 */
public record ClusterTopicId(String cluster, Uuid topic) {

    /**
     * Returns whether the topic was recreated in the same cluster as {@code current}; always false without topic ids.
     */
    public boolean isReplacedBy(ClusterTopicId current) {
        return !topic.equals(current.topic)
                && !topic.equals(Uuid.ZERO_UUID)
                && !current.topic.equals(Uuid.ZERO_UUID)
                && cluster.equals(current.cluster);
    }
}
