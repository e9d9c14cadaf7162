package io.iocluster.simulation.kafka;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;

/** Observes what clients do to a broker. Called on the thread of the simulation. */
interface KafkaObserver {

    /** Observes nothing. */
    KafkaObserver NONE = new KafkaObserver() {};

    /** The broker has stored a record of a producer. */
    default void appended(String process, TopicPartition partition, PartitionLog.StoredRecord record) {}

    /** The broker has stored a record, and its producer reports a failure. */
    default void confirmLost(Headers headers, byte[] value) {}

    /** The broker has accepted a commit. */
    default void committed(String process, String group, Map<TopicPartition, OffsetAndMetadata> offsets) {}

    /** A client sends a commit. */
    default void commitSent(String process, String group) {}

    /** A consumer leaves its group. */
    default void closing(String process, String group) {}

    /** A consumer has lost partitions, and continues. */
    default void revoked(String process, Collection<TopicPartition> partitions) {}
}
