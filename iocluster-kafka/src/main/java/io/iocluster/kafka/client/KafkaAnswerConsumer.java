package io.iocluster.kafka.client;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.thread.NodeClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all answers of the answer topic, without a consumer group and without commits, so that every consumer receives
 * every answer. Not thread-safe: used by one thread at a time, which it blocks.
 */
public final class KafkaAnswerConsumer implements AnswerConsumer {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaAnswerConsumer.class);
    /** The client waits for the broker only if the topic is gone. Otherwise it returns what it knows. */
    private static final long REFRESH_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    private static final Duration REFRESH_TIMEOUT = Duration.ofSeconds(1);

    private final String topic;
    private final Consumer<byte[], byte[]> consumer;
    private final NodeClock clock;
    private long refreshedNanos;

    /** One answer; key and value may be null. */
    public record ReceivedRecord(byte[] key, byte[] value) {}

    /**
     * Connects, and starts to read.
     *
     * @param fromNow true to read new answers only; false to read all answers of the topic
     * @throws KafkaException if the broker is unreachable or the topic does not exist
     */
    public KafkaAnswerConsumer(KafkaConnections connections, boolean fromNow) {
        clock = connections.platform();
        refreshedNanos = clock.nanos();
        topic = connections.settings().answers().topic();
        consumer = connections.openConsumer(connections.properties().standaloneConsumer("answers"));
        try {
            seek(fromNow);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void seek(boolean fromNow) {
        List<TopicPartition> partitions = partitions(Duration.ofSeconds(10));
        if (partitions.isEmpty()) {
            throw new UnknownTopicOrPartitionException("topic \"" + topic + "\" does not exist");
        }
        consumer.assign(partitions);
        if (fromNow) {
            consumer.seekToEnd(partitions);
        } else {
            consumer.seekToBeginning(partitions);
        }
        // Fetches the positions now, so that no answer to the caller's next request is missed.
        partitions.forEach(consumer::position);
    }

    private List<TopicPartition> partitions(Duration timeout) {
        List<PartitionInfo> found = consumer.partitionsFor(topic, timeout);
        List<TopicPartition> partitions = new ArrayList<>();
        if (found != null) {
            found.forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
        }
        return partitions;
    }

    /** Adds new partitions of the topic, from their beginning, because all their answers are new. */
    private void refreshPartitions() {
        if (clock.nanos() - refreshedNanos < REFRESH_INTERVAL_NANOS) {
            return;
        }
        refreshedNanos = clock.nanos();
        try {
            Set<TopicPartition> added = new HashSet<>(partitions(REFRESH_TIMEOUT));
            added.removeAll(consumer.assignment());
            if (!added.isEmpty()) {
                Set<TopicPartition> all = new HashSet<>(consumer.assignment());
                all.addAll(added);
                consumer.assign(all);
                consumer.seekToBeginning(added);
            }
        } catch (KafkaException unreachable) {
            LOG.debug("Partitions not refreshed topic={}", topic, unreachable);
        }
    }

    @Override
    public void poll(Duration timeout, Recipient recipient) throws IOException {
        try {
            for (ReceivedRecord answer : poll(timeout)) {
                if (answer.value() != null) {
                    recipient.offer(answer.value());
                }
            }
        } catch (KafkaException failed) {
            throw new IOException("kafka: " + failed.getMessage(), failed);
        }
    }

    /** Returns the next answers. Waits for them at most {@code timeout}; may return none. */
    public List<ReceivedRecord> poll(Duration timeout) {
        refreshPartitions();
        List<ReceivedRecord> received = new ArrayList<>();
        try {
            for (ConsumerRecord<byte[], byte[]> message : consumer.poll(timeout)) {
                received.add(new ReceivedRecord(message.key(), message.value()));
            }
        } catch (InvalidOffsetException deleted) {
            consumer.seekToBeginning(deleted.partitions());
        }
        return received;
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(2)));
    }
}
