package io.iocluster.kafka.source;

import io.iocluster.kafka.ledger.ClusterTopicId;

/**
 * The id and size of a topic, as the broker describes it.
 *
 * @param partitions number of partitions
 */
record DescribedTopic(ClusterTopicId topicId, int partitions) {}
