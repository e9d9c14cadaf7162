package io.iocluster.kafka.source;

import io.iocluster.kafka.ledger.ClusterTopicId;

/**
 * The log that a topic's name refers to, as the broker describes it.
 *
 * @param partitions how many the topic has
 */
record DescribedTopic(ClusterTopicId topicId, int partitions) {}
