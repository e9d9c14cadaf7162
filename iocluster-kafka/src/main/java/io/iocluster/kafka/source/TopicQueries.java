package io.iocluster.kafka.source;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** Asks the broker about topics without blocking. Thread-safe. */
interface TopicQueries {

    /** Requests the ids of the consumed topics; the future fails if the broker does not answer. */
    CompletableFuture<Map<String, DescribedTopic>> requestTopics();

    /** Returns the last result of {@link #requestTopics} by topic name; each result is a new object. */
    Map<String, DescribedTopic> latestTopics();

    /**
     * Requests offsets of partitions in one request. Each partition has a separate result, so that one without a leader
     * does not delay the others.
     */
    Map<TopicPartition, CompletableFuture<Long>> requestOffsets(Map<TopicPartition, OffsetSpec> partitions);
}
