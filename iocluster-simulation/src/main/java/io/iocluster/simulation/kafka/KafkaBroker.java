package io.iocluster.simulation.kafka;

import io.iocluster.kafka.config.KafkaClients;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;

/** A broker, its topics and groups, and its faults. Confined to the thread of the simulation. */
public final class KafkaBroker {

    static final Duration DEFAULT_MAX_DELAY = Duration.ofMillis(2);

    static final int DEFAULT_MAX_MESSAGE_BYTES = 1_048_588;

    private static final Duration EXPIRY_INTERVAL = Duration.ofMillis(100);
    private static final long MIN_DELAY_NANOS = 200_000;

    private final Simulation simulation;
    private final TreeMap<String, Topic> topics = new TreeMap<>();
    private final TreeMap<String, ConsumerGroup> groups = new TreeMap<>();
    private Duration maxDelay = DEFAULT_MAX_DELAY;
    private Duration initialRebalanceDelay = Duration.ofSeconds(3);
    private double requestLoss;
    private double answerLoss;
    private boolean up = true;
    private int incarnation;
    private long producers;
    private boolean consumerProtocol = true;
    private double refusals;
    private Duration appendDelay = Duration.ZERO;
    private int maxMetadata = ConsumerGroup.DEFAULT_MAX_METADATA;
    private boolean hasLimitedMetadata;
    private boolean hasSmallMessages;
    private KafkaObserver observer = KafkaObserver.NONE;
    private final Map<SimulatedProcess, Integer> disconnects = new HashMap<>();

    /** A topic. */
    record Topic(Uuid id, Map<String, String> configs, List<PartitionLog> partitions) {

        int maxMessageBytes() {
            return Integer.parseInt(
                    configs.getOrDefault("max.message.bytes", Integer.toString(DEFAULT_MAX_MESSAGE_BYTES)));
        }
    }

    /** Creates a broker without topics. */
    public KafkaBroker(Simulation simulation) {
        this.simulation = simulation;
        expireGroups();
    }

    private void expireGroups() {
        if (up) {
            groups.values().forEach(ConsumerGroup::expire);
        }
        simulation.after(EXPIRY_INTERVAL, this::expireGroups);
    }

    /** Returns the clients of a process. */
    public KafkaClients clients(SimulatedProcess process) {
        return new SimulatedKafkaClients(this, process);
    }

    /** Creates a topic, or returns false if it exists. */
    public boolean createTopic(String name, int partitions, Map<String, String> configs) {
        if (topics.containsKey(name)) {
            return false;
        }
        List<PartitionLog> logs = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            logs.add(new PartitionLog());
        }
        Uuid id = new Uuid(simulation.random().nextLong(), simulation.random().nextLong());
        topics.put(name, new Topic(id, Map.copyOf(configs), logs));
        return true;
    }

    /** Deletes a topic with its records. */
    public void deleteTopic(String name) {
        Topic deleted = topics.remove(name);
        if (deleted != null) {
            deleted.partitions().forEach(PartitionLog::changed);
        }
    }

    /** Adds partitions to a topic, until it has this number. */
    public void addPartitions(String name, int total) {
        List<PartitionLog> logs = requireTopic(name).partitions();
        while (logs.size() < total) {
            logs.add(new PartitionLog());
        }
    }

    /** Changes {@code max.message.bytes} of a topic; does nothing if the topic does not exist. */
    public void setMaxMessageBytes(String name, int bytes) {
        hasSmallMessages |= bytes < DEFAULT_MAX_MESSAGE_BYTES;
        topics.computeIfPresent(
                name,
                (same, topic) -> new Topic(
                        topic.id(), Map.of("max.message.bytes", Integer.toString(bytes)), topic.partitions()));
    }

    /** Removes the records of a partition before the offset, as retention does. */
    public void deleteRecords(TopicPartition partition, long before) {
        log(partition).deleteBefore(before);
    }

    /** Removes one record, as compaction does. */
    public void compact(TopicPartition partition, long offset) {
        log(partition).compact(offset);
    }

    /** Uses offsets that no consumer sees. */
    public void skipOffsets(TopicPartition partition, long count) {
        log(partition).skipOffsets(count);
        log(partition).changed();
    }

    /** Begins a transaction of another producer: {@code read_committed} consumers read up to its first offset until it ends. */
    public void beginTransaction(TopicPartition partition) {
        log(partition).beginTransaction();
    }

    /** Commits or aborts the open transaction, whose marker takes one offset. */
    public void endTransaction(TopicPartition partition, boolean commit) {
        log(partition).endTransaction(commit);
        log(partition).changed();
    }

    /** Appends a record without a producer and returns its offset. */
    public long append(TopicPartition partition, byte[] key, byte[] value) {
        return append(partition, key, value, List.of()).offset();
    }

    PartitionLog.StoredRecord append(TopicPartition partition, byte[] key, byte[] value, List<Header> headers) {
        PartitionLog.StoredRecord stored = log(partition).append(wallMillis(), key, value, headers);
        log(partition).changed();
        return stored;
    }

    /** Returns the values of all records of a topic that are neither deleted nor aborted, by partition and offset. */
    public List<byte[]> values(String topic) {
        List<byte[]> values = new ArrayList<>();
        for (PartitionLog log : requireTopic(topic).partitions()) {
            log.read(log.start(), Integer.MAX_VALUE, true).records().forEach(record -> values.add(record.value()));
        }
        return values;
    }

    /** Returns the offset after the last record. */
    public long endOffset(TopicPartition partition) {
        return log(partition).end();
    }

    /** Returns the offset that the group has committed; -1 if there is none. */
    public long committed(String group, TopicPartition partition) {
        var position = group(group).committed().get(partition);
        return position == null ? -1 : position.offset();
    }

    /** Makes the partition refuse requests for this time, as an election of its leader does. */
    public void moveLeader(TopicPartition partition, Duration election) {
        log(partition).setLeaderFrom(nanos() + election.toNanos());
    }

    /** Makes the partition refuse records, as a full disk does. */
    public void setFull(TopicPartition partition, boolean full) {
        log(partition).setFull(full);
    }

    /** Stops the broker. Requests and answers on their way are lost; topics, groups and committed offsets stay. */
    public void stop() {
        up = false;
        incarnation++;
        groups.values().forEach(ConsumerGroup::disconnect);
    }

    /** Starts the broker again. The sessions of all members start over. */
    public void start() {
        if (!up) {
            up = true;
            groups.values().forEach(ConsumerGroup::renewSessions);
        }
    }

    /** Loses the requests and answers of a process that are on their way. */
    public void disconnect(SimulatedProcess process) {
        disconnects.merge(process, 1, Integer::sum);
    }

    /** Sets which part of the records the broker refuses. */
    public void setRefusals(double part) {
        refusals = part;
    }

    /** Sets how much longer the broker takes to acknowledge records. */
    public void setAppendDelay(Duration delay) {
        appendDelay = delay;
    }

    /** Sets {@code offset.metadata.max.bytes}. */
    public void setMaxMetadata(int characters) {
        maxMetadata = characters;
        hasLimitedMetadata |= characters < ConsumerGroup.DEFAULT_MAX_METADATA;
    }

    /** Makes the members of a group join again. */
    public void rebalance(String group) {
        group(group).rebalance();
    }

    /** Removes the members of a process from a group, as the end of their session does. */
    public void expire(String group, SimulatedProcess process) {
        group(group).expire(process.name());
    }

    void observe(KafkaObserver by) {
        observer = by;
    }

    KafkaObserver observer() {
        return observer;
    }

    boolean refusesRecord() {
        return refusals > 0 && simulation.random().nextDouble() < refusals;
    }

    Duration appendDelay() {
        return appendDelay;
    }

    /** Returns whether it ever accepted less metadata than by default. A node that has seen this sends less from then on. */
    boolean hasLimitedMetadata() {
        return hasLimitedMetadata;
    }

    /** Returns whether a topic ever accepted smaller messages than by default. A node remembers the limit for a minute. */
    boolean hasSmallMessages() {
        return hasSmallMessages;
    }

    int maxMetadata() {
        return maxMetadata;
    }

    /** Sets the longest delay of a request, and of an answer. */
    public void setMaxDelay(Duration delay) {
        maxDelay = delay;
    }

    /** Sets the parts of the requests and of the answers that are lost. The client repeats a request whose answer is lost. */
    public void setLoss(double requests, double answers) {
        requestLoss = requests;
        answerLoss = answers;
    }

    /** Sets {@code group.initial.rebalance.delay.ms}. */
    public void setInitialRebalanceDelay(Duration delay) {
        initialRebalanceDelay = delay;
    }

    /** Sets whether the broker supports the consumer protocol. */
    public void setConsumerProtocol(boolean supported) {
        consumerProtocol = supported;
    }

    boolean hasConsumerProtocol() {
        return consumerProtocol;
    }

    Simulation simulation() {
        return simulation;
    }

    long nanos() {
        return simulation.nanos();
    }

    long wallMillis() {
        return Simulation.START_MILLIS + simulation.millis();
    }

    boolean isUp() {
        return up;
    }

    /** Changes when the connections of the process are lost. */
    int incarnation(SimulatedProcess process) {
        return incarnation + disconnects.getOrDefault(process, 0);
    }

    long initialRebalanceDelayNanos() {
        return initialRebalanceDelay.toNanos();
    }

    Duration delay() {
        return Duration.ofNanos(MIN_DELAY_NANOS + simulation.random().nextLong(1 + maxDelay.toNanos()));
    }

    boolean losesRequest() {
        return requestLoss > 0 && simulation.random().nextDouble() < requestLoss;
    }

    boolean losesAnswer() {
        return answerLoss > 0 && simulation.random().nextDouble() < answerLoss;
    }

    /** Returns whether a request arrives whose process was killed after it sent it. */
    boolean receivesFromTheDead() {
        return simulation.random().nextBoolean();
    }

    long nextProducerId() {
        return ++producers;
    }

    /** Returns null if the topic does not exist. */
    Topic topic(String name) {
        return topics.get(name);
    }

    /** Returns the topic or throws the broker's error. */
    Topic requireTopic(String name) {
        Topic topic = topics.get(name);
        if (topic == null) {
            throw new UnknownTopicOrPartitionException("topic " + name + " does not exist");
        }
        return topic;
    }

    PartitionLog log(TopicPartition partition) {
        List<PartitionLog> logs = requireTopic(partition.topic()).partitions();
        if (partition.partition() >= logs.size()) {
            throw new UnknownTopicOrPartitionException(partition + " does not exist");
        }
        return logs.get(partition.partition());
    }

    /** Returns the log of a partition that has a leader. */
    PartitionLog leader(TopicPartition partition) {
        PartitionLog log = log(partition);
        if (!log.hasLeader(nanos())) {
            throw new NotLeaderOrFollowerException("no leader for " + partition);
        }
        return log;
    }

    Collection<TopicPartition> partitions(Collection<String> names) {
        List<TopicPartition> found = new ArrayList<>();
        for (String name : names) {
            Topic topic = topics.get(name);
            for (int i = 0; topic != null && i < topic.partitions().size(); i++) {
                found.add(new TopicPartition(name, i));
            }
        }
        return found;
    }

    /** Returns the partitions that a process can read as a member of a group, now. */
    List<TopicPartition> readableBy(String group, SimulatedProcess process) {
        return up
                ? group(group).ownedBy(process.name()).stream()
                        .filter(partition -> log(partition).hasLeader(nanos()))
                        .toList()
                : List.of();
    }

    ConsumerGroup group(String name) {
        return groups.computeIfAbsent(name, any -> new ConsumerGroup(this));
    }
}
