package io.iocluster.simulation.kafka;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;

/** Observes what clients do to a broker. Called on the thread of the simulation. */
interface BrokerObserver {

    /** Observes nothing. */
    BrokerObserver NONE = new BrokerObserver() {

        @Override
        public void appended(String process, TopicPartition partition, PartitionLog.StoredRecord record) {}

        @Override
        public void confirmLost(Headers headers, byte[] value) {}

        @Override
        public void committed(String process, String group, Map<TopicPartition, OffsetAndMetadata> offsets) {}

        @Override
        public void commitSent(String process, String group) {}

        @Override
        public void closing(String process, String group) {}

        @Override
        public void revoked(String process, Collection<TopicPartition> partitions) {}
    };

    /** The broker has stored a record of a producer. */
    void appended(String process, TopicPartition partition, PartitionLog.StoredRecord record);

    /** The broker has stored a record, and its producer reports a failure. */
    void confirmLost(Headers headers, byte[] value);

    /** The broker has accepted a commit. */
    void committed(String process, String group, Map<TopicPartition, OffsetAndMetadata> offsets);

    /** A client sends a commit. */
    void commitSent(String process, String group);

    /** A consumer leaves its group. */
    void closing(String process, String group);

    /** A consumer has lost partitions, and continues. */
    void revoked(String process, Collection<TopicPartition> partitions);
}
