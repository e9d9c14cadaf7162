package io.iocluster.kafka;

/**
 * The log that a topic's name refers to, as the broker describes it.
 *
 * @param partitions how many the topic has
 */
record TopicLog(LogId id, int partitions) {}
