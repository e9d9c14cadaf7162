package io.iocluster.simulation.kafka;

import io.iocluster.simulation.kafka.PartitionLog.StoredRecord;
import io.iocluster.testkit.simulation.SimulatedLoop;
import io.iocluster.testkit.simulation.SimulatedProcess;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * A consumer. A poll on a loop never blocks: it returns at once, and delays the next run of the loop until a record arrives or the time of
 * the poll is over. Calls that need an answer block, and other tasks run meanwhile. Confined to the thread of the simulation.
 */
final class SimulatedConsumer extends ConsumerBase implements GroupMembership.Owner {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration METADATA_TIMEOUT = Duration.ofSeconds(30);
    private static final Node NODE = new Node(1, "simulated", 9092);

    private final KafkaBroker broker;
    private final SimulatedProcess process;
    private final BrokerLink link;
    private final ClientConfig config;
    private final Deserializer<byte[]> keys;
    private final Deserializer<byte[]> values;
    private final boolean committedOnly;
    private final Map<TopicPartition, Partition> partitions = new LinkedHashMap<>();
    private final ArrayDeque<Runnable> callbacks = new ArrayDeque<>();
    private final Map<String, Integer> metadata = new HashMap<>();
    private Set<String> topics = Set.of();
    private GroupMembership membership;
    private SimulatedLoop waitingLoop;
    private CompletableFuture<Void> signal = new CompletableFuture<>();
    private CompletableFuture<Void> lastCommit = CompletableFuture.completedFuture(null);
    private boolean closing;
    private boolean fetching;
    private boolean refreshing;
    private long refreshedAt;
    private boolean wakeup;
    private boolean closed;

    /** An assigned partition. */
    private static final class Partition {
        private final TopicPartition id;
        private final ArrayDeque<StoredRecord> fetched = new ArrayDeque<>();
        /** Offset of the next record to return; -1 if it is not known yet. */
        private long position = -1;
        /** Offset of the next record to fetch. */
        private long fetchFrom;
        /** {@code earliest} or {@code latest} if it has to be reset; null otherwise. */
        private String reset;

        private boolean resolving;
        private boolean paused;
        private RuntimeException failure;

        Partition(TopicPartition id) {
            this.id = id;
        }

        void moveTo(long offset) {
            position = offset;
            fetchFrom = offset;
            reset = null;
            failure = null;
            fetched.clear();
        }

        void resetTo(String where) {
            moveTo(-1);
            reset = where;
        }
    }

    SimulatedConsumer(
            KafkaBroker broker,
            SimulatedProcess process,
            ClientConfig config,
            Deserializer<byte[]> keys,
            Deserializer<byte[]> values) {
        this.broker = broker;
        this.process = process;
        this.link = new BrokerLink(broker, process);
        this.config = config;
        this.keys = keys;
        this.values = values;
        this.committedOnly = config.text("isolation.level", "read_uncommitted").equals("read_committed");
    }

    @Override
    public void subscribe(Collection<String> wanted, ConsumerRebalanceListener listener) {
        topics = Set.copyOf(wanted);
        membership = new GroupMembership(broker, process, link, config, topics, listener, this);
    }

    @Override
    public void assign(Collection<TopicPartition> wanted) {
        partitions.keySet().retainAll(wanted);
        assigned(wanted);
        topics = wanted.stream().map(TopicPartition::topic).collect(Collectors.toSet());
    }

    @Override
    public void assigned(Collection<TopicPartition> added) {
        added.forEach(id -> partitions.computeIfAbsent(id, Partition::new));
    }

    @Override
    public void revoked(Collection<TopicPartition> removed) {
        partitions.keySet().removeAll(removed);
        if (!closing) {
            broker.observer().revoked(process.name(), removed);
        }
    }

    @Override
    public void wake() {
        signal.complete(null);
        if (waitingLoop != null) {
            waitingLoop.wake();
        }
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        requireUsable();
        long end = process.nanos() + timeout.toNanos();
        waitingLoop = null;
        while (true) {
            signal = new CompletableFuture<>();
            throwIfWokenUp();
            runCallbacks();
            refreshMetadata();
            if (membership != null) {
                membership.poll();
            }
            resolvePositions();
            fetch();
            ConsumerRecords<byte[], byte[]> records = take();
            if (!records.nextOffsets().isEmpty() || process.nanos() >= end) {
                return records;
            }
            SimulatedLoop loop = broker.simulation().currentLoop();
            if (loop != null && !loop.hasToWait()) {
                waitingLoop = loop;
                loop.waitAtLeast(end - process.nanos());
                return records;
            }
            process.await(signal, Duration.ofNanos(end - process.nanos()));
        }
    }

    private void requireUsable() {
        process.requireAlive();
        if (closed) {
            throw new IllegalStateException("This consumer has already been closed.");
        }
    }

    private void throwIfWokenUp() {
        if (wakeup) {
            wakeup = false;
            throw new WakeupException();
        }
    }

    private void runCallbacks() {
        for (Runnable next = callbacks.poll(); next != null; next = callbacks.poll()) {
            next.run();
        }
    }

    private void refreshMetadata() {
        long age = process.nanos() - refreshedAt;
        boolean old = age >= config.millis("metadata.max.age.ms", 300_000).toNanos() || metadata.size() < topics.size();
        if (refreshing || !old || age < 100_000_000 && refreshedAt > 0) {
            return;
        }
        refreshing = true;
        Set<String> asked = topics;
        link.call(() -> counts(asked), METADATA_TIMEOUT).whenComplete((counts, failure) -> {
            refreshing = false;
            refreshedAt = process.nanos();
            if (failure == null) {
                boolean changed = !metadata.isEmpty() && !metadata.equals(counts);
                metadata.clear();
                metadata.putAll(counts);
                if (changed && membership != null) {
                    membership.partitionsChanged();
                    wake();
                }
            }
        });
    }

    private Map<String, Integer> counts(Set<String> asked) {
        Map<String, Integer> counts = new HashMap<>();
        for (String topic : asked) {
            KafkaBroker.Topic found = broker.topic(topic);
            if (found != null) {
                counts.put(topic, found.partitions().size());
            }
        }
        return counts;
    }

    private void resolvePositions() {
        for (Partition partition : List.copyOf(partitions.values())) {
            if (partition.failure != null) {
                RuntimeException failure = partition.failure;
                partition.failure = null;
                throw failure;
            }
            if (partition.position < 0) {
                resolve(partition);
            }
        }
    }

    private void resolve(Partition partition) {
        if (partition.resolving) {
            return;
        }
        partition.resolving = true;
        String reset = partition.reset;
        boolean hasGroup = config.text("group.id", null) != null;
        link.call(
                        () -> {
                            OffsetAndMetadata position = reset != null || !hasGroup
                                    ? null
                                    : broker.group(config.text("group.id", null))
                                            .committed()
                                            .get(partition.id);
                            return position != null ? position.offset() : startOffset(partition.id, reset);
                        },
                        METADATA_TIMEOUT)
                .whenComplete((offset, failure) -> {
                    partition.resolving = false;
                    if (partition.position >= 0 || !java.util.Objects.equals(reset, partition.reset)) {
                        return;
                    }
                    if (failure == null && offset >= 0) {
                        partition.moveTo(offset);
                    } else if (failure == null) {
                        partition.failure = new NoOffsetForPartitionException(Set.of(partition.id));
                    }
                    wake();
                });
    }

    /** Returns where a reset starts; -1 if there is no policy. */
    private long startOffset(TopicPartition id, String reset) {
        String policy = reset != null ? reset : config.text("auto.offset.reset", "latest");
        PartitionLog log = broker.leader(id);
        return switch (policy) {
            case "earliest" -> log.start();
            case "latest" -> committedOnly ? log.stable() : log.end();
            default -> -1;
        };
    }

    private void fetch() {
        if (fetching) {
            return;
        }
        Map<TopicPartition, Long> from = new LinkedHashMap<>();
        for (Partition partition : partitions.values()) {
            if (!partition.paused && partition.position >= 0 && partition.fetched.isEmpty()) {
                from.put(partition.id, partition.fetchFrom);
            }
        }
        if (from.isEmpty()) {
            return;
        }
        fetching = true;
        Duration wait = config.millis("fetch.max.wait.ms", 500);
        link.callLater(() -> new Fetch(from, wait).start(), wait.plusSeconds(1)).whenComplete((reads, failure) -> {
            fetching = false;
            if (failure == null) {
                reads.forEach((id, read) -> add(id, from.get(id), read));
            }
            wake();
        });
    }

    /** A fetch at the broker, which waits until one of its partitions has records. */
    private final class Fetch {
        private final Map<TopicPartition, Long> from;
        private final Duration wait;
        private final CompletableFuture<Map<TopicPartition, Object>> answer = new CompletableFuture<>();

        Fetch(Map<TopicPartition, Long> from, Duration wait) {
            this.from = from;
            this.wait = wait;
        }

        CompletableFuture<Map<TopicPartition, Object>> start() {
            answerIfAny(false);
            if (!answer.isDone()) {
                from.keySet().forEach(id -> broker.log(id).onChange(() -> answerIfAny(false)));
                broker.simulation().after(wait, () -> answerIfAny(true));
            }
            return answer;
        }

        private void answerIfAny(boolean waited) {
            if (answer.isDone()) {
                return;
            }
            Map<TopicPartition, Object> reads = new LinkedHashMap<>();
            int left = config.number("fetch.max.bytes", 50 << 20);
            for (Map.Entry<TopicPartition, Long> each : from.entrySet()) {
                Object read = read(each.getKey(), each.getValue(), left);
                if (read instanceof PartitionLog.Read found) {
                    left -= found.records().stream()
                            .mapToInt(StoredRecord::bytes)
                            .sum();
                }
                if (read != null) {
                    reads.put(each.getKey(), read);
                }
            }
            if (waited || !reads.isEmpty()) {
                answer.complete(reads);
            }
        }

        /** Returns what was read, the start of a log that the offset is outside of, or null. */
        private Object read(TopicPartition id, long offset, int left) {
            KafkaBroker.Topic topic = broker.topic(id.topic());
            if (topic == null || id.partition() >= topic.partitions().size() || left <= 0) {
                return null;
            }
            PartitionLog log = topic.partitions().get(id.partition());
            if (!log.hasLeader(broker.nanos())) {
                return null;
            }
            if (offset < log.start() || offset > log.end()) {
                return offset;
            }
            int bytes = Math.min(left, config.number("max.partition.fetch.bytes", 1 << 20));
            PartitionLog.Read read = log.read(offset, bytes, committedOnly);
            return read.next() > offset ? read : null;
        }
    }

    private void add(TopicPartition id, long requested, Object read) {
        Partition partition = partitions.get(id);
        if (partition == null || partition.position < 0 || partition.fetchFrom != requested) {
            return;
        }
        if (read instanceof PartitionLog.Read found) {
            partition.fetched.addAll(found.records());
            partition.fetchFrom = found.next();
            return;
        }
        String policy = config.text("auto.offset.reset", "latest");
        if (policy.equals("none")) {
            partition.failure = new OffsetOutOfRangeException(Map.of(id, requested));
        } else {
            partition.resetTo(policy);
        }
    }

    private ConsumerRecords<byte[], byte[]> take() {
        int left = config.number("max.poll.records", 500);
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new LinkedHashMap<>();
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        for (Partition partition : List.copyOf(partitions.values())) {
            if (partition.paused || partition.position < 0 || left == 0) {
                continue;
            }
            long before = partition.position;
            List<ConsumerRecord<byte[], byte[]>> taken = new ArrayList<>();
            while (left > 0 && !partition.fetched.isEmpty()) {
                StoredRecord record = partition.fetched.poll();
                taken.add(consumed(partition.id, record));
                partition.position = record.offset() + 1;
                left--;
            }
            if (partition.fetched.isEmpty()) {
                partition.position = partition.fetchFrom;
            }
            if (!taken.isEmpty()) {
                records.put(partition.id, taken);
                // The partitions take turns.
                partitions.remove(partition.id);
                partitions.put(partition.id, partition);
            }
            if (partition.position > before) {
                next.put(partition.id, new OffsetAndMetadata(partition.position));
            }
        }
        return new ConsumerRecords<>(records, next);
    }

    private ConsumerRecord<byte[], byte[]> consumed(TopicPartition id, StoredRecord record) {
        RecordHeaders headers = new RecordHeaders(record.headers());
        byte[] key = deserialize(keys, id, headers, record.key());
        byte[] value = deserialize(values, id, headers, record.value());
        return new ConsumerRecord<>(
                id.topic(),
                id.partition(),
                record.offset(),
                record.timestamp(),
                TimestampType.CREATE_TIME,
                record.key() == null ? -1 : record.key().length,
                record.value() == null ? -1 : record.value().length,
                key,
                value,
                headers,
                Optional.empty());
    }

    private static byte[] deserialize(
            Deserializer<byte[]> deserializer, TopicPartition id, RecordHeaders headers, byte[] data) {
        return data == null ? null : deserializer.deserialize(id.topic(), headers, ByteBuffer.wrap(data));
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        requireUsable();
        if (!offsets.isEmpty()) {
            link.await(commit(offsets, timeout), timeout);
        }
        runCallbacks();
    }

    @Override
    public void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
        requireUsable();
        commit(offsets, DEFAULT_TIMEOUT).whenComplete((committed, failure) -> {
            Exception result = failure instanceof RetriableException
                    ? new RetriableCommitFailedException(failure)
                    : (Exception) failure;
            callbacks.add(() -> callback.onComplete(offsets, result));
            wake();
        });
    }

    private CompletableFuture<Void> commit(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        if (membership == null) {
            return CompletableFuture.failedFuture(new CommitFailedException());
        }
        if (membership.isJoining()) {
            return CompletableFuture.failedFuture(new RebalanceInProgressException());
        }
        String id = membership.id();
        int generation = membership.generation();
        Map<TopicPartition, OffsetAndMetadata> copy = Map.copyOf(offsets);
        String group = config.text("group.id", null);
        broker.observer().commitSent(process.name(), group);
        CompletableFuture<Void> previous = lastCommit;
        CompletableFuture<Void> result = new CompletableFuture<>();
        lastCommit = result;
        // A client sends one commit after the other.
        previous.whenComplete((before, failed) -> link.call(
                        () -> {
                            broker.group(group).commit(id, generation, copy);
                            broker.observer().committed(process.name(), group, copy);
                            return (Void) null;
                        },
                        timeout)
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        result.complete(null);
                    } else {
                        result.completeExceptionally(failure);
                    }
                }));
        return result;
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> ids, Duration timeout) {
        requireUsable();
        Map<TopicPartition, OffsetAndMetadata> found = link.await(
                link.call(
                        () -> new HashMap<>(
                                broker.group(config.text("group.id", null)).committed()),
                        timeout),
                timeout);
        Map<TopicPartition, OffsetAndMetadata> result = new HashMap<>();
        ids.forEach(id -> result.put(id, found.get(id)));
        return result;
    }

    @Override
    public void seek(TopicPartition id, long offset) {
        require(id).moveTo(offset);
    }

    private Partition require(TopicPartition id) {
        Partition partition = partitions.get(id);
        if (partition == null) {
            throw new IllegalStateException("No current assignment for partition " + id);
        }
        return partition;
    }

    @Override
    public void seekToBeginning(Collection<TopicPartition> ids) {
        ids.forEach(id -> require(id).resetTo("earliest"));
    }

    @Override
    public void seekToEnd(Collection<TopicPartition> ids) {
        ids.forEach(id -> require(id).resetTo("latest"));
    }

    @Override
    public long position(TopicPartition id) {
        return position(id, DEFAULT_TIMEOUT);
    }

    @Override
    public long position(TopicPartition id, Duration timeout) {
        requireUsable();
        long end = process.nanos() + timeout.toNanos();
        Partition partition = require(id);
        while (partition.position < 0 && process.nanos() < end) {
            signal = new CompletableFuture<>();
            resolvePositions();
            process.await(signal, Duration.ofNanos(Math.min(100_000_000, end - process.nanos())));
        }
        if (partition.position < 0) {
            throw new TimeoutException("position of " + id + " not known");
        }
        return partition.position;
    }

    private Map<TopicPartition, Long> offsets(
            Collection<TopicPartition> ids, Duration timeout, Function<PartitionLog, Long> which) {
        requireUsable();
        return link.await(
                link.call(
                        () -> ids.stream().collect(Collectors.toMap(id -> id, id -> which.apply(broker.leader(id)))),
                        timeout),
                timeout);
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> ids, Duration timeout) {
        return offsets(ids, timeout, PartitionLog::start);
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> ids, Duration timeout) {
        return offsets(ids, timeout, log -> committedOnly ? log.stable() : log.end());
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
        requireUsable();
        Integer count = metadata.get(topic);
        if (count == null) {
            count = link.await(link.call(() -> counts(Set.of(topic)).getOrDefault(topic, 0), timeout), timeout);
        }
        List<PartitionInfo> infos = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            infos.add(new PartitionInfo(topic, i, NODE, new Node[] {NODE}, new Node[] {NODE}));
        }
        return infos;
    }

    @Override
    public Set<TopicPartition> assignment() {
        return new HashSet<>(partitions.keySet());
    }

    @Override
    public Set<String> subscription() {
        return membership == null ? Set.of() : topics;
    }

    @Override
    public Set<TopicPartition> paused() {
        return partitions.values().stream()
                .filter(partition -> partition.paused)
                .map(partition -> partition.id)
                .collect(Collectors.toSet());
    }

    @Override
    public void pause(Collection<TopicPartition> ids) {
        ids.forEach(id -> require(id).paused = true);
    }

    @Override
    public void resume(Collection<TopicPartition> ids) {
        ids.forEach(id -> require(id).paused = false);
    }

    @Override
    public void wakeup() {
        wakeup = true;
        wake();
    }

    @Override
    public void close(CloseOptions options) {
        if (closed) {
            return;
        }
        process.requireAlive();
        closing = true;
        if (membership != null) {
            broker.observer().closing(process.name(), config.text("group.id", null));
            boolean leaves =
                    options.groupMembershipOperation() != CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP;
            membership.close(leaves, options.timeout().orElse(Duration.ofSeconds(30)));
        }
        runCallbacks();
        closed = true;
        partitions.clear();
    }
}
