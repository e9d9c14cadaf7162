package io.iocluster.kafka;

/**
 * The log behind a topic's name as the broker describes it.
 *
 * @param partitions how many the topic has
 */
record TopicLog(LogId id, int partitions) {}
