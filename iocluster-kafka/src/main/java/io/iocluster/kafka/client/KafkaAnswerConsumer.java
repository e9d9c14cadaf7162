package io.iocluster.kafka.client;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.kafka.config.ClientProperties;
import io.iocluster.kafka.config.KafkaSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the topic of the answers: it joins no group and commits nothing, and so gets what all others get too. Confined to one
 * thread at a time, and blocks it.
 */
public final class KafkaAnswerConsumer implements AnswerConsumer {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaAnswerConsumer.class);
    private static final long LOOK_NANOS = Duration.ofMinutes(1).toNanos();
    private static final Duration LOOK_WITHIN = Duration.ofSeconds(1);

    private final String topic;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private long lookedNanos = System.nanoTime();

    /** One answer; key and value may be null. */
    public record ReceivedRecord(byte[] key, byte[] value) {}

    /**
     * Begins to follow.
     *
     * @param fromNow whether only answers count that come from now on; otherwise all that the topic holds
     * @throws KafkaException if the broker is away or the topic does not exist
     */
    public KafkaAnswerConsumer(KafkaSettings settings, String clientName, boolean fromNow) {
        ClientProperties properties = new ClientProperties(settings, clientName);
        topic = settings.answers().topic();
        consumer = new KafkaConsumer<>(properties.standaloneConsumer("answers"));
        try {
            begin(fromNow);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void begin(boolean fromNow) {
        List<TopicPartition> partitions = partitions(Duration.ofSeconds(10));
        if (partitions.isEmpty()) {
            throw new UnknownTopicOrPartitionException("the topic " + topic + " does not exist");
        }
        consumer.assign(partitions);
        if (fromNow) {
            consumer.seekToEnd(partitions);
        } else {
            consumer.seekToBeginning(partitions);
        }
        // Asked for now, so that "from now" is before whatever the caller does next.
        partitions.forEach(consumer::position);
    }

    private List<TopicPartition> partitions(Duration within) {
        List<PartitionInfo> found = consumer.partitionsFor(topic, within);
        List<TopicPartition> partitions = new ArrayList<>();
        if (found != null) {
            found.forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
        }
        return partitions;
    }

    /** A topic can be given further partitions; they are read from their beginning, for all that is there is new. */
    private void lookForPartitions() {
        if (System.nanoTime() - lookedNanos < LOOK_NANOS) {
            return;
        }
        lookedNanos = System.nanoTime();
        try {
            Set<TopicPartition> added = new HashSet<>(partitions(LOOK_WITHIN));
            added.removeAll(consumer.assignment());
            if (!added.isEmpty()) {
                Set<TopicPartition> all = new HashSet<>(consumer.assignment());
                all.addAll(added);
                consumer.assign(all);
                consumer.seekToBeginning(added);
            }
        } catch (KafkaException away) {
            LOG.debug("The broker does not say which partitions {} has", topic, away);
        }
    }

    @Override
    public void poll(Duration within, Recipient taker) throws IOException {
        try {
            for (ReceivedRecord answer : poll(within)) {
                if (answer.value() != null) {
                    taker.offer(answer.value());
                }
            }
        } catch (KafkaException failed) {
            throw new IOException("kafka: " + failed.getMessage(), failed);
        }
    }

    /** Waits for answers, at most for the given time; may be empty. */
    public List<ReceivedRecord> poll(Duration atMost) {
        lookForPartitions();
        List<ReceivedRecord> received = new ArrayList<>();
        try {
            for (ConsumerRecord<byte[], byte[]> message : consumer.poll(atMost)) {
                received.add(new ReceivedRecord(message.key(), message.value()));
            }
        } catch (InvalidOffsetException cutOff) {
            consumer.seekToBeginning(cutOff.partitions());
        }
        return received;
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(2)));
    }
}
