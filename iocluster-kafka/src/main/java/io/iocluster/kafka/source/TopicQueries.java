package io.iocluster.kafka.source;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** Asks the broker about logs without blocking. Any thread may call. */
interface TopicQueries {

    /** Asks which logs the topics' names refer to; fails if the broker does not answer. */
    CompletableFuture<Map<String, DescribedTopic>> requestTopics();

    /** Returns the last answer to {@link #requestTopics}; each answer is a new object. */
    Map<String, DescribedTopic> latestTopics();

    /**
     * Asks for offsets of partitions in one request. Each partition has a separate result, so that one without a leader
     * delays no other.
     */
    Map<TopicPartition, CompletableFuture<Long>> requestOffsets(Map<TopicPartition, OffsetSpec> partitions);
}
