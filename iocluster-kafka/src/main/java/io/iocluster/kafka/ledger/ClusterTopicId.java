package io.iocluster.kafka.ledger;

import org.apache.kafka.common.Uuid;

/**
 * Which log stands behind a topic's name. A topic that is deleted and made again is another one, and so is its mirror on
 * another cluster.
 *
 * @param topic {@link Uuid#ZERO_UUID} where the broker gives topics no ids
 */
public record ClusterTopicId(String cluster, Uuid topic) {

    /** Whether the name stands for another topic of the same cluster now; no broker without ids can say so. */
    public boolean isReplacedBy(ClusterTopicId now) {
        return !topic.equals(now.topic)
                && !topic.equals(Uuid.ZERO_UUID)
                && !now.topic.equals(Uuid.ZERO_UUID)
                && cluster.equals(now.cluster);
    }
}
