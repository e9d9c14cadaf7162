package io.iocluster.simulation.kafka;

import io.iocluster.simulation.kafka.PartitionLog.StoredRecord;
import io.iocluster.testkit.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.utils.Utils;

/**
 * A producer. Each partition has one batch in flight, so its records keep their order. A record fails after {@code delivery.timeout.ms}; the
 * broker may have it nevertheless. With idempotence, the broker stores a record once that is sent again. Transactions are not simulated.
 * Confined to the thread of the simulation.
 */
final class SimulatedProducer implements Producer<byte[], byte[]> {

    private static final Duration METADATA_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration RETRY_BACKOFF = Duration.ofMillis(100);
    private static final Node NODE = new Node(1, "simulated", 9092);

    private final KafkaBroker broker;
    private final SimulatedProcess process;
    private final BrokerLink link;
    private final Duration linger;
    private final long deliveryNanos;
    private final Duration maxBlock;
    private final long maxBuffer;
    private final int maxRequest;
    private final int batchSize;
    private final long metadataAgeNanos;
    private final boolean idempotent;
    private final Partitioner partitioner;
    private final long producerId;
    private final Map<String, Metadata> metadata = new HashMap<>();
    private final Set<String> asked = new HashSet<>();
    private final Map<TopicPartition, Queue> queues = new LinkedHashMap<>();
    private CompletableFuture<Void> changed = new CompletableFuture<>();
    private long buffered;
    private boolean closed;

    private record Metadata(int partitions, long at) {}

    /** The records of one partition that are not confirmed. */
    private static final class Queue {
        private final ArrayDeque<Pending> waiting = new ArrayDeque<>();
        private List<Pending> inFlight = List.of();
        private long nextSequence;

        boolean isEmpty() {
            return waiting.isEmpty() && inFlight.isEmpty();
        }
    }

    /** A record that is not confirmed. */
    private static final class Pending {
        private final ProducerRecord<byte[], byte[]> record;
        private final int bytes;
        private final long timestamp;
        private final long deadline;
        private final Callback callback;
        private final CompletableFuture<RecordMetadata> result = new CompletableFuture<>();
        private long sequence = -1;
        private boolean stored;

        Pending(ProducerRecord<byte[], byte[]> record, int bytes, long timestamp, long deadline, Callback callback) {
            this.record = record;
            this.bytes = bytes;
            this.timestamp = timestamp;
            this.deadline = deadline;
            this.callback = callback;
        }
    }

    SimulatedProducer(KafkaBroker broker, SimulatedProcess process, ClientConfig config) {
        this.broker = broker;
        this.process = process;
        this.link = new BrokerLink(broker, process);
        this.linger = config.millis("linger.ms", 5);
        this.deliveryNanos = config.millis("delivery.timeout.ms", 120_000).toNanos();
        this.maxBlock = config.millis("max.block.ms", 60_000);
        this.maxBuffer = config.number("buffer.memory", 32 << 20);
        this.maxRequest = config.number("max.request.size", 1 << 20);
        this.batchSize = config.number("batch.size", 16 << 10);
        this.metadataAgeNanos = config.millis("metadata.max.age.ms", 300_000).toNanos();
        this.idempotent = config.flag("enable.idempotence", true);
        this.partitioner = partitioner(config);
        this.producerId = broker.nextProducerId();
    }

    private static Partitioner partitioner(ClientConfig config) {
        String name = config.text("partitioner.class", null);
        if (name == null) {
            return null;
        }
        try {
            Partitioner created =
                    (Partitioner) Class.forName(name).getDeclaredConstructor().newInstance();
            created.configure(config.properties());
            return created;
        } catch (ReflectiveOperationException invalid) {
            throw new KafkaException("partitioner.class cannot be used: " + name, invalid);
        }
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
        return send(record, null);
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
        process.requireAlive();
        if (closed) {
            throw new IllegalStateException("Cannot perform operation after producer has been closed");
        }
        int bytes = bytes(record);
        TopicPartition partition;
        try {
            partition = new TopicPartition(record.topic(), choose(record, partitions(record.topic())));
            if (bytes > maxRequest) {
                throw new RecordTooLargeException("The message is " + bytes + " bytes, more than max.request.size");
            }
            if (buffered + bytes > maxBuffer) {
                throw new BufferExhaustedException("buffer.memory is exhausted");
            }
        } catch (ApiException refused) {
            if (callback != null) {
                callback.onCompletion(noMetadata(new TopicPartition(record.topic(), -1)), refused);
            }
            return CompletableFuture.failedFuture(refused);
        }
        long timestamp = record.timestamp() == null ? process.wallMillis() : record.timestamp();
        Pending pending = new Pending(record, bytes, timestamp, process.nanos() + deliveryNanos, callback);
        buffered += bytes;
        Queue queue = queues.computeIfAbsent(partition, any -> new Queue());
        queue.waiting.add(pending);
        process.after(linger, () -> sendNext(partition, queue));
        return pending.result;
    }

    private static int bytes(ProducerRecord<byte[], byte[]> record) {
        int bytes = 96 + (record.key() == null ? 0 : record.key().length);
        bytes += record.value() == null ? 0 : record.value().length;
        for (Header header : record.headers()) {
            bytes += header.key().length() + (header.value() == null ? 0 : header.value().length);
        }
        return bytes;
    }

    private static RecordMetadata noMetadata(TopicPartition partition) {
        return new RecordMetadata(partition, -1, -1, -1, -1, -1);
    }

    /** Returns the number of partitions. Asks the broker and blocks for at most {@code max.block.ms} if it is not known. */
    private int partitions(String topic) {
        Metadata known = metadata.get(topic);
        if (known == null || process.nanos() - known.at() > metadataAgeNanos) {
            request(topic);
        }
        long end = process.nanos() + maxBlock.toNanos();
        while (!metadata.containsKey(topic) && process.nanos() < end) {
            request(topic);
            process.await(changed, Duration.ofNanos(end - process.nanos()));
            changed = new CompletableFuture<>();
        }
        known = metadata.get(topic);
        if (known == null) {
            throw new TimeoutException("Topic " + topic + " not present in metadata after " + maxBlock);
        }
        return known.partitions();
    }

    private void request(String topic) {
        if (!asked.add(topic)) {
            return;
        }
        link.call(() -> broker.requireTopic(topic).partitions().size(), METADATA_TIMEOUT)
                .whenComplete((count, failure) -> {
                    asked.remove(topic);
                    if (failure == null) {
                        metadata.put(topic, new Metadata(count, process.nanos()));
                    } else if (failure instanceof UnknownTopicOrPartitionException) {
                        metadata.remove(topic);
                    }
                    changed.complete(null);
                });
    }

    private int choose(ProducerRecord<byte[], byte[]> record, int count) {
        if (record.partition() != null) {
            return record.partition();
        }
        if (partitioner != null) {
            Cluster cluster = new Cluster(
                    "simulated",
                    List.of(NODE),
                    infos(record.topic(), count),
                    Collections.emptySet(),
                    Collections.emptySet());
            return partitioner.partition(
                    record.topic(), record.key(), record.key(), record.value(), record.value(), cluster);
        }
        return record.key() == null
                ? process.random().nextInt(count)
                : Utils.toPositive(Utils.murmur2(record.key())) % count;
    }

    private static List<PartitionInfo> infos(String topic, int count) {
        List<PartitionInfo> infos = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            infos.add(new PartitionInfo(topic, i, NODE, new Node[] {NODE}, new Node[] {NODE}));
        }
        return infos;
    }

    private void sendNext(TopicPartition partition, Queue queue) {
        expire(partition, queue);
        if (!queue.inFlight.isEmpty() || queue.waiting.isEmpty()) {
            return;
        }
        List<Pending> batch = new ArrayList<>();
        int bytes = 0;
        while (!queue.waiting.isEmpty() && (batch.isEmpty() || bytes + queue.waiting.peek().bytes <= batchSize)) {
            Pending next = queue.waiting.poll();
            bytes += next.bytes;
            if (next.sequence < 0) {
                next.sequence = queue.nextSequence++;
            }
            batch.add(next);
        }
        queue.inFlight = batch;
        Duration left = Duration.ofNanos(batch.get(0).deadline - process.nanos());
        link.callLater(() -> append(partition, batch), left)
                .whenComplete((results, failure) -> answered(partition, queue, results, failure));
    }

    private void expire(TopicPartition partition, Queue queue) {
        while (!queue.waiting.isEmpty() && queue.waiting.peek().deadline <= process.nanos()) {
            complete(partition, queue.waiting.poll(), new TimeoutException("Expiring record for " + partition));
        }
    }

    /** Appends a batch at the broker. Returns the offset or the refusal of each record. */
    private CompletableFuture<List<Object>> append(TopicPartition partition, List<Pending> batch) {
        PartitionLog log = broker.leader(partition);
        if (log.isFull()) {
            throw new KafkaStorageException("the disk is full");
        }
        int maxBytes = broker.requireTopic(partition.topic()).maxMessageBytes();
        List<Object> results = new ArrayList<>();
        for (Pending pending : batch) {
            long repeated = idempotent ? log.offsetOfRepeated(producerId, pending.sequence) : -1;
            if (repeated >= 0) {
                results.add(repeated);
            } else if (pending.bytes > maxBytes) {
                results.add(new RecordTooLargeException("the record is larger than max.message.bytes"));
            } else if (broker.refusesRecord()) {
                results.add(new InvalidRecordException("the broker refuses the record"));
            } else {
                ProducerRecord<byte[], byte[]> record = pending.record;
                StoredRecord stored = log.append(
                        pending.timestamp,
                        record.key(),
                        record.value(),
                        List.of(record.headers().toArray()));
                long offset = stored.offset();
                log.recordAppended(producerId, pending.sequence, offset);
                pending.stored = true;
                broker.observer().appended(process.name(), partition, stored);
                if (pending.result.isDone()) {
                    broker.observer().confirmLost(record.headers(), record.value());
                }
                results.add(offset);
            }
        }
        log.changed();
        CompletableFuture<List<Object>> answer = new CompletableFuture<>();
        broker.simulation().after(broker.appendDelay(), () -> answer.complete(results));
        return answer;
    }

    private void answered(TopicPartition partition, Queue queue, List<Object> results, Throwable failure) {
        List<Pending> batch = queue.inFlight;
        queue.inFlight = List.of();
        if (failure == null) {
            for (int i = 0; i < batch.size(); i++) {
                complete(partition, batch.get(i), results.get(i));
            }
            sendNext(partition, queue);
        } else if (failure instanceof RetriableException) {
            if (failure instanceof UnknownTopicOrPartitionException) {
                request(partition.topic());
            }
            for (int i = batch.size() - 1; i >= 0; i--) {
                queue.waiting.addFirst(batch.get(i));
            }
            expire(partition, queue);
            process.after(RETRY_BACKOFF, () -> sendNext(partition, queue));
        } else {
            batch.forEach(pending -> complete(partition, pending, failure));
            sendNext(partition, queue);
        }
    }

    private void complete(TopicPartition partition, Pending pending, Object result) {
        if (pending.result.isDone()) {
            return;
        }
        buffered -= pending.bytes;
        if (result instanceof Long offset) {
            RecordMetadata stored = new RecordMetadata(partition, offset, 0, pending.timestamp, -1, -1);
            pending.result.complete(stored);
            if (pending.callback != null) {
                pending.callback.onCompletion(stored, null);
            }
        } else {
            Exception failure = (Exception) result;
            if (pending.stored) {
                broker.observer().confirmLost(pending.record.headers(), pending.record.value());
            }
            pending.result.completeExceptionally(failure);
            if (pending.callback != null) {
                pending.callback.onCompletion(noMetadata(partition), failure);
            }
        }
        changed.complete(null);
    }

    private boolean isIdle() {
        return queues.values().stream().allMatch(Queue::isEmpty);
    }

    private void awaitIdle(Duration timeout) {
        long end = process.nanos() + timeout.toNanos();
        while (!isIdle() && process.nanos() < end) {
            changed = new CompletableFuture<>();
            process.await(changed, Duration.ofNanos(end - process.nanos()));
        }
    }

    @Override
    public void flush() {
        awaitIdle(Duration.ofNanos(Long.MAX_VALUE / 4));
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
        process.requireAlive();
        return infos(topic, partitions(topic));
    }

    @Override
    public void close() {
        close(Duration.ofNanos(Long.MAX_VALUE / 4));
    }

    @Override
    public void close(Duration timeout) {
        process.requireAlive();
        if (closed) {
            return;
        }
        closed = true;
        awaitIdle(timeout);
        queues.forEach((partition, queue) -> {
            List<Pending> left = new ArrayList<>(queue.inFlight);
            left.addAll(queue.waiting);
            queue.waiting.clear();
            left.forEach(pending -> complete(partition, pending, new KafkaException("Producer is closed forcefully.")));
        });
    }

    @Override
    public Map<MetricName, ? extends Metric> metrics() {
        return Map.of();
    }

    @Override
    public Uuid clientInstanceId(Duration timeout) {
        throw unsupported();
    }

    @Override
    public void registerMetricForSubscription(KafkaMetric metric) {
        throw unsupported();
    }

    @Override
    public void unregisterMetricFromSubscription(KafkaMetric metric) {
        throw unsupported();
    }

    @Override
    public void initTransactions() {
        throw unsupported();
    }

    @Override
    public void beginTransaction() {
        throw unsupported();
    }

    @Override
    public void sendOffsetsToTransaction(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata groupMetadata) {
        throw unsupported();
    }

    @Override
    public void commitTransaction() {
        throw unsupported();
    }

    @Override
    public void abortTransaction() {
        throw unsupported();
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("not simulated");
    }
}
