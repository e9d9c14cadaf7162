package io.iocluster.kafka;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** Asks the broker about logs without blocking. Any thread may call. */
interface LogQueries {

    /** Asks which logs the topics' names refer to; fails if the broker does not answer. */
    CompletableFuture<Map<String, TopicLog>> askIds();

    /** Returns the last answer to {@link #askIds}; each answer is a new object. */
    Map<String, TopicLog> latestIds();

    /**
     * Asks for offsets of partitions in one request. Each partition has a separate result, so that one without a leader
     * delays no other.
     */
    Map<TopicPartition, CompletableFuture<Long>> askOffsets(Map<TopicPartition, OffsetSpec> partitions);
}
