package io.iocluster.kafka.replay;

import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.settings.Rate;
import io.iocluster.transport.ReservedHeaders;
import io.iocluster.transport.deadletter.DeadLetter;
import io.iocluster.transport.deadletter.DeadLetterQueue;
import io.iocluster.transport.deadletter.ReplayPacer;
import io.iocluster.transport.outage.RootCause;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dead-letter topic. One transaction publishes a batch of requests and the record of which dead letters they were, so
 * that a killed replay has published both or neither. All replays of a topic share one transactional id: a later one
 * ends the transactions of an earlier one before it reads what was replayed. Confined to one thread.
 */
public final class KafkaDeadLetters implements DeadLetterQueue {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaDeadLetters.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long MAX_BATCH_BYTES = 8 << 20;
    /** Maximum wait for the broker, which normally answers much sooner. */
    private static final long STALL_NANOS = Duration.ofSeconds(30).toNanos();

    private final KafkaSettings settings;
    private final KafkaConnections connections;
    private final String topic;
    private final Consumer<byte[], byte[]> consumer;

    public KafkaDeadLetters(KafkaConnections connections) {
        this.settings = connections.settings();
        this.connections = connections;
        this.topic = settings.deadLetters().topic();
        this.consumer = connections.openConsumer(connections.properties().standaloneConsumer("dead-letters"));
    }

    @Override
    public void scan(Predicate<DeadLetter> visitor) throws IOException {
        try {
            Map<TopicPartition, Long> ends = ends();
            ReplayedOffsets replayed = replayed(ends);
            read(ends, record -> {
                Map<String, String> headers = headers(record);
                boolean visible = !ReplayedOffsets.isMarker(record)
                        && !replayed.contains(record)
                        && DeadLetter.isDeadLetter(headers);
                return !visible || visitor.test(letter(record, headers));
            });
        } catch (KafkaException failed) {
            throw problem(failed);
        }
    }

    @Override
    public long replay(Predicate<DeadLetter> selected, Rate rate) throws IOException, InterruptedException {
        Map<String, Object> transactional =
                connections.properties().transactionalProducer("replay", "iocluster-replay-" + topic);
        try (Producer<byte[], byte[]> producer = connections.openProducer(transactional)) {
            // First, because it ends the transactions of a replay that was killed or still runs.
            producer.initTransactions();
            Map<TopicPartition, Long> ends = ends();
            ReplayedOffsets replayed = replayed(ends);
            ReplayPacer pacer = new ReplayPacer(rate, connections.platform());
            Batch batch = new Batch(producer, pacer);
            read(ends, record -> {
                Map<String, String> headers = headers(record);
                if (!ReplayedOffsets.isMarker(record)
                        && !replayed.contains(record)
                        && DeadLetter.isDeadLetter(headers)) {
                    DeadLetter letter = letter(record, headers);
                    if (selected.test(letter) && letter.obstacle() == null) {
                        batch.add(record, letter);
                    }
                }
                return true;
            });
            batch.publish();
            return batch.published;
        } catch (ProducerFencedException | InvalidProducerEpochException fenced) {
            throw new IOException("another replay of the topic " + topic + " has started, and this one ends", fenced);
        } catch (KafkaException failed) {
            throw problem(failed);
        }
    }

    /** Reads a record; returns false to stop. */
    @FunctionalInterface
    private interface RecordReader {
        boolean read(ConsumerRecord<byte[], byte[]> record) throws InterruptedException, IOException;
    }

    private IOException problem(KafkaException failed) {
        return new IOException(
                "kafka: " + settings.bootstrapServers() + ": topic " + topic + ": " + RootCause.message(failed),
                failed);
    }

    /** Returns the end offsets of all partitions. Records of open transactions are not before them. */
    private Map<TopicPartition, Long> ends() throws IOException {
        List<TopicPartition> partitions = consumer.partitionsFor(topic, Duration.ofSeconds(10)).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        if (partitions.isEmpty()) {
            throw new IOException("kafka: topic " + topic + ": does not exist");
        }
        consumer.assign(partitions);
        return consumer.endOffsets(partitions);
    }

    private ReplayedOffsets replayed(Map<TopicPartition, Long> ends) throws IOException {
        ReplayedOffsets replayed = new ReplayedOffsets();
        read(ends, record -> {
            if (ReplayedOffsets.isMarker(record)) {
                replayed.add(record);
            }
            return true;
        });
        return replayed;
    }

    private void read(Map<TopicPartition, Long> ends, RecordReader reader) throws IOException {
        consumer.seekToBeginning(ends.keySet());
        long progress = connections.platform().nanos();
        try {
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                var records = consumer.poll(POLL);
                for (ConsumerRecord<byte[], byte[]> record : records) {
                    if (record.offset() < ends.get(new TopicPartition(record.topic(), record.partition()))
                            && !reader.read(record)) {
                        return;
                    }
                }
                if (!records.isEmpty()) {
                    progress = connections.platform().nanos();
                } else if (connections.platform().nanos() - progress > STALL_NANOS) {
                    throw new IOException(
                            "kafka: " + settings.bootstrapServers() + ": topic " + topic + ": no broker answers");
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new LinkedHashMap<>();
        record.headers()
                .forEach(header -> headers.put(
                        header.key(),
                        header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8)));
        return headers;
    }

    private static DeadLetter letter(ConsumerRecord<byte[], byte[]> record, Map<String, String> headers) {
        return new DeadLetter(
                record.topic() + "/" + record.partition() + "/" + record.offset(),
                headers,
                record.value() == null ? new byte[0] : record.value());
    }

    /** Returns the topic that the request came from if a node reads it, otherwise the first request topic. */
    private String requestTopic(DeadLetter letter) {
        String source = letter.source().replaceFirst("/\\d+/\\d+$", "");
        List<String> topics = settings.requests().topics();
        return topics.contains(source) ? source : topics.get(0);
    }

    private ProducerRecord<byte[], byte[]> request(ConsumerRecord<byte[], byte[]> record, DeadLetter letter) {
        ProducerRecord<byte[], byte[]> request =
                new ProducerRecord<>(requestTopic(letter), null, record.key(), record.value());
        record.headers().forEach(header -> {
            if (!ReservedHeaders.isReserved(header.key())) {
                request.headers().add(header);
            }
        });
        request.headers().add(DeadLetter.REPLAYED_HEADER, letter.position().getBytes(StandardCharsets.UTF_8));
        return request;
    }

    /** The requests of the next transaction. */
    private final class Batch {

        private final Producer<byte[], byte[]> producer;
        private final ReplayPacer pacer;
        private final Map<ConsumerRecord<byte[], byte[]>, ProducerRecord<byte[], byte[]>> requests =
                new LinkedHashMap<>();
        private long bytes;
        private long published;

        Batch(Producer<byte[], byte[]> producer, ReplayPacer pacer) {
            this.producer = producer;
            this.pacer = pacer;
        }

        void add(ConsumerRecord<byte[], byte[]> record, DeadLetter letter) throws IOException, InterruptedException {
            requests.put(record, request(record, letter));
            bytes += letter.payload().length;
            if (requests.size() >= pacer.batch() || bytes >= MAX_BATCH_BYTES) {
                publish();
            }
        }

        /** Publishes the batch. Leaves out a request that is too large for its topic, which remains a dead letter. */
        void publish() throws IOException, InterruptedException {
            while (!requests.isEmpty()) {
                List<ConsumerRecord<byte[], byte[]>> tooLarge = tryPublish();
                if (tooLarge.isEmpty()) {
                    published += requests.size();
                    pacer.sent(requests.size());
                    break;
                }
                tooLarge.forEach(record -> LOG.warn(
                        "Dead letter not replayed because the request topic refuses its size position={}/{}/{}",
                        record.topic(),
                        record.partition(),
                        record.offset()));
                tooLarge.forEach(requests::remove);
            }
            requests.clear();
            bytes = 0;
        }

        private List<ConsumerRecord<byte[], byte[]>> tryPublish() throws IOException, InterruptedException {
            Map<TopicPartition, List<Long>> offsets =
                    new TreeMap<>(java.util.Comparator.comparingInt(TopicPartition::partition));
            Map<ConsumerRecord<byte[], byte[]>, Future<?>> sent = new HashMap<>();
            producer.beginTransaction();
            requests.forEach((record, request) -> {
                sent.put(record, producer.send(request));
                offsets.computeIfAbsent(
                                new TopicPartition(record.topic(), record.partition()), any -> new ArrayList<>())
                        .add(record.offset());
            });
            producer.flush();
            List<ConsumerRecord<byte[], byte[]>> tooLarge = new ArrayList<>();
            for (var each : sent.entrySet()) {
                try {
                    each.getValue().get();
                } catch (ExecutionException failed) {
                    if (failed.getCause() instanceof RecordTooLargeException) {
                        tooLarge.add(each.getKey());
                    } else if (tooLarge.isEmpty() && failed.getCause() instanceof KafkaException problem) {
                        abort();
                        throw problem;
                    }
                }
            }
            if (!tooLarge.isEmpty()) {
                producer.abortTransaction();
                return tooLarge;
            }
            offsets.forEach((partition, replayed) -> producer.send(ReplayedOffsets.marker(
                    partition, replayed, connections.platform().random())));
            producer.commitTransaction();
            return List.of();
        }

        private void abort() {
            try {
                producer.abortTransaction();
            } catch (KafkaException alsoFailed) {
                LOG.debug("Transaction not aborted; the broker aborts it", alsoFailed);
            }
        }
    }

    @Override
    public void close() {
        consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(1)));
    }
}
