package io.iocluster.kafka;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** Asks the broker about logs without blocking. Any thread may call. */
interface LogQueries {

    /** Asks which logs stand behind the names of the topics that are read; fails if the broker does not say. */
    CompletableFuture<Map<String, TopicLog>> askIds();

    /** The last answer to {@link #askIds}; another object after each. */
    Map<String, TopicLog> latestIds();

    /**
     * Asks for offsets of partitions in one request. Each partition has a result of its own, so that one without a leader
     * delays no other.
     */
    Map<TopicPartition, CompletableFuture<Long>> askOffsets(Map<TopicPartition, OffsetSpec> partitions);
}
