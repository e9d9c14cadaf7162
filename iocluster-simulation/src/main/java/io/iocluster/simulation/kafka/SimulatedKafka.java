package io.iocluster.simulation.kafka;

import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.AnswerTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.DeadLetterTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.ledger.ClusterTopicId;
import io.iocluster.kafka.ledger.OffsetDelivery;
import io.iocluster.simulation.broker.BrokerListener;
import io.iocluster.simulation.broker.DelegatingSource;
import io.iocluster.simulation.broker.Published;
import io.iocluster.simulation.broker.SimulatedBroker;
import io.iocluster.simulation.kafka.PartitionLog.StoredRecord;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import io.iocluster.testkit.simulation.Trace;
import io.iocluster.transport.DelayedRetrySettings;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * A Kafka broker for a cluster of nodes, which use the real Kafka transport. What is settled is what the broker has as committed: offsets and
 * the metadata of their commits. Confined to the thread of the simulation.
 */
public final class SimulatedKafka implements SimulatedBroker, KafkaObserver {

    private static final String REQUESTS = "requests";
    private static final String CALL = "call";
    private static final List<String> REPLIES = List.of("replies-a", "replies-b");
    private static final Pattern ANSWER_ID = Pattern.compile("\"id\":\"(\\w+)\"");
    private static final int KEYS = 5;
    private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(5);
    /** The waits of a consumer for the broker, and the longest backoff of the poll thread. */
    private static final Duration MAX_IDLE = Duration.ofSeconds(20);

    private final Simulation simulation;
    private final KafkaBroker broker;
    private final KafkaSettings settings;
    private final KafkaDisturbances disturbances;
    private final Map<SimulatedProcess, RequestReader> readers = new HashMap<>();
    private final Map<String, RequestReader> readersByName = new HashMap<>();
    private final Map<TopicPartition, SettledOffsets> settled = new HashMap<>();
    /** The records that were settled since they were read last. */
    private final Map<TopicPartition, Set<Long>> acknowledged = new HashMap<>();

    private final Map<TopicPartition, Set<Long>> delivered = new HashMap<>();

    private BrokerListener listener;

    /**
     * Creates a broker that runs. The seed decides the number of partitions and some settings of the transport.
     *
     * @param consumerProtocol whether groups use the consumer protocol (KIP-848) instead of the classic one
     */
    public SimulatedKafka(Simulation simulation, boolean consumerProtocol) {
        this.simulation = simulation;
        this.broker = new KafkaBroker(simulation);
        this.settings = settings(simulation);
        broker.observe(this);
        broker.setConsumerProtocol(consumerProtocol);
        broker.setInitialRebalanceDelay(Duration.ofMillis(500));
        broker.createTopic(REQUESTS, 1 + simulation.random().nextInt(4), Map.of());
        broker.createTopic(ANSWERS, 2, Map.of());
        broker.createTopic(DEAD_LETTERS, 1, Map.of());
        REPLIES.forEach(this::create);
        delayTopics().forEach(topic -> broker.createTopic(topic, 1, Map.of()));
        if (settings.delayed().enabled()) {
            broker.createTopic(settings.delayedTopics().dueTopic(), 2, Map.of());
        }
        this.disturbances = new KafkaDisturbances(
                simulation,
                broker,
                REQUESTS,
                List.of(ANSWERS, REPLIES.get(0), REPLIES.get(1)),
                settings.requests().group());
    }

    private static KafkaSettings settings(Simulation simulation) {
        boolean ordered = simulation.random().nextInt(4) == 0;
        return RecordCopy.with(
                KafkaSettings.DEFAULTS,
                "requests",
                RecordCopy.with(
                        KafkaSettings.DEFAULTS.requests(),
                        "topics",
                        List.of(REQUESTS),
                        "ordering",
                        ordered ? Ordering.KEY : Ordering.NONE),
                "answers",
                new AnswerTopicSettings(ANSWERS, List.of("replies-*")),
                "deadLetters",
                new DeadLetterTopicSettings(DEAD_LETTERS),
                "delayed",
                new DelayedRetrySettings(
                        !ordered, "", List.of(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(5))),
                "bufferRecords",
                simulation.random().nextBoolean()
                        ? 500
                        : 1 + simulation.random().nextInt(20),
                "commitInterval",
                Duration.ofMillis(simulation.random().nextBoolean() ? 1_000 : 100),
                "revokeTimeout",
                Duration.ofMillis(simulation.random().nextBoolean() ? 5_000 : 500),
                "confirmTimeout",
                CONFIRM_TIMEOUT);
    }

    private List<String> delayTopics() {
        return settings.delayedTopics().delayTopics();
    }

    @Override
    public void observe(BrokerListener observer) {
        listener = observer;
    }

    @Override
    public Transport connect(SimulatedProcess process) {
        SimulatedKafkaClients clients = new SimulatedKafkaClients(broker, process);
        KafkaTransport transport = new KafkaTransport(new KafkaConnections(settings, process.name(), clients, process));
        RequestReader reader = new RequestReader();
        readers.put(process, reader);
        readersByName.put(process.name(), reader);
        RequestSource source = new DelegatingSource(transport.source()) {

            @Override
            protected boolean offer(Intake intake, Delivery delivery) {
                OffsetDelivery message = (OffsetDelivery) delivery;
                if (reader.offered(message)) {
                    listener.delivered(message.header(CALL), process.name());
                    if (!delivered
                            .computeIfAbsent(message.partition.id(), any -> new HashSet<>())
                            .add(message.offset())) {
                        listener.redelivered(message.header(CALL));
                    }
                }
                boolean accepted = intake.offer(message);
                if (accepted) {
                    accepted(process, reader, message);
                }
                return accepted;
            }
        };
        return new KafkaNodeTransport(source, transport.sink(), clients);
    }

    private void accepted(SimulatedProcess process, RequestReader reader, OffsetDelivery delivery) {
        TopicPartition partition = delivery.partition.id();
        String call = delivery.header(CALL);
        String node = process.name();
        simulation.trace().add(node, () -> "reads " + call + " at " + delivery.coordinates());
        OffsetDelivery before = reader.accepted(partition, delivery);
        if (settled(partition).contains(delivery.offset())) {
            listener.repeated(call, node, "its settlement is committed");
        }
        if (before != null && before.isAcknowledged()) {
            listener.repeated(call, node, "the node has settled it");
        } else if (before != null && !before.isWithdrawn()) {
            listener.released(call, node);
        }
        acknowledged.getOrDefault(partition, new HashSet<>()).remove(delivery.offset());
        if (settings.requests().ordering() == Ordering.KEY) {
            checkOrder(node, reader, partition, delivery);
        }
    }

    private void checkOrder(String node, RequestReader reader, TopicPartition partition, OffsetDelivery delivery) {
        // As stored, because a node may lose it.
        byte[] key = broker.log(partition).at(delivery.offset()).key();
        SettledOffsets done = settled(partition);
        for (StoredRecord earlier : broker.log(partition).from(done.committed())) {
            if (earlier.offset() >= delivery.offset()) {
                return;
            }
            // A message that the node has settled and does not read again is not open, even if a commit no longer says
            // so.
            boolean open = isRequest(earlier)
                    && reader.has(partition, earlier.offset())
                    && !done.contains(earlier.offset())
                    && !reader.hasSettled(partition, earlier.offset());
            if (key != null && Arrays.equals(key, earlier.key()) && open) {
                listener.overtook(delivery.header(CALL), node, callOf(earlier));
            }
        }
    }

    private SettledOffsets settled(TopicPartition partition) {
        return settled.getOrDefault(partition, SettledOffsets.NONE);
    }

    @Override
    public void disconnect(SimulatedProcess process) {
        broker.disconnect(process);
    }

    @Override
    public void send(byte[] payload, Map<String, String> headers) {
        int count = broker.topic(REQUESTS).partitions().size();
        boolean keyed = settings.requests().ordering() == Ordering.KEY
                && simulation.random().nextInt(4) > 0;
        byte[] key = keyed ? new byte[] {(byte) simulation.random().nextInt(KEYS)} : null;
        int partition = keyed ? key[0] % count : simulation.random().nextInt(count);
        List<Header> all = new ArrayList<>();
        headers.forEach((name, value) -> all.add(new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8))));
        broker.append(new TopicPartition(REQUESTS, partition), key, payload, all);
    }

    @Override
    public void stop() {
        broker.stop();
    }

    @Override
    public void start() {
        broker.start();
    }

    @Override
    public void loseConfirms(double part) {
        broker.setLoss(0, part);
    }

    @Override
    public void refuse(double part) {
        broker.setRefusals(part);
    }

    @Override
    public void slowDown(Duration by) {
        broker.setAppendDelay(by);
    }

    @Override
    public void disturb(double which, SimulatedProcess node, Duration time) {
        disturbances.begin(which, node, time);
    }

    @Override
    public void endDisturbances() {
        disturbances.end();
    }

    @Override
    public void delete(String queue) {
        broker.deleteTopic(queue);
    }

    @Override
    public void create(String queue) {
        broker.createTopic(queue, 1, Map.of());
    }

    @Override
    public int readyFor(SimulatedProcess process) {
        RequestReader reader = readers.get(process);
        int count = 0;
        for (TopicPartition partition : broker.readableBy(settings.requests().group(), process)) {
            SettledOffsets done = settled(partition);
            PartitionLog log = broker.log(partition);
            for (StoredRecord record : log.from(done.committed())) {
                boolean isReady = isRequest(record)
                        && record.offset() < log.stable()
                        && !done.contains(record.offset())
                        && !reader.has(partition, record.offset());
                count += isReady ? 1 : 0;
            }
        }
        return count;
    }

    @Override
    public Duration maxIdle() {
        return MAX_IDLE;
    }

    @Override
    public int heldBy(SimulatedProcess process) {
        return broker.hasLimitedMetadata() ? 0 : readers.get(process).uncommitted();
    }

    @Override
    public boolean hasSmallMessages() {
        return broker.hasSmallMessages();
    }

    @Override
    public Set<String> unsettledCalls() {
        Set<String> calls = new TreeSet<>();
        List<String> topics = new ArrayList<>(settings.consumedTopics());
        topics.addAll(delayTopics());
        for (TopicPartition partition : broker.partitions(topics)) {
            SettledOffsets done = settled(partition);
            for (StoredRecord record : broker.log(partition).from(done.committed())) {
                if (isRequest(record) && !done.contains(record.offset())) {
                    calls.add(callOf(record));
                }
            }
        }
        return calls;
    }

    /** Returns whether a call is in the record, which a consumer sees. */
    private static boolean isRequest(StoredRecord record) {
        return !record.aborted() && callOf(record) != null;
    }

    private static String callOf(StoredRecord record) {
        for (Header header : record.headers()) {
            if (header.key().equals(CALL)) {
                return new String(header.value(), StandardCharsets.UTF_8);
            }
        }
        return null;
    }

    /** Returns the call of a published message: from its headers, or from the answer if that had no room for headers. */
    private static String callOf(Map<String, String> headers, byte[] answer) {
        String call = headers.get(CALL);
        if (call != null) {
            return call;
        }
        Matcher id = ANSWER_ID.matcher(new String(answer, StandardCharsets.UTF_8));
        if (!id.find()) {
            throw new IllegalStateException("message of no call: " + Trace.shorten(answer));
        }
        return id.group(1);
    }

    private static Map<String, String> textHeaders(Iterable<Header> headers) {
        Map<String, String> texts = new LinkedHashMap<>();
        headers.forEach(header -> texts.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        return texts;
    }

    @Override
    public void appended(String process, TopicPartition partition, StoredRecord record) {
        Map<String, String> headers = textHeaders(record.headers());
        String call = callOf(headers, record.value());
        simulation
                .trace()
                .add("broker", () -> "stores " + partition + " of " + call + ": " + Trace.shorten(record.value()));
        if (partition.topic().equals(settings.delayedTopics().dueTopic())) {
            return; // The copy of a delayed retry, which was published before.
        }
        String queue = delayTopics().contains(partition.topic()) ? DELAYED : partition.topic();
        listener.published(new Published(queue, call, record.value(), headers, process, simulation.millis()));
    }

    @Override
    public void confirmLost(Headers headers, byte[] value) {
        listener.confirmLost(callOf(textHeaders(headers), value));
    }

    @Override
    public void committed(String process, String group, Map<TopicPartition, OffsetAndMetadata> offsets) {
        RequestReader reader = readersByName.get(process);
        // In the order of partitions, because the map of the client has none.
        List<TopicPartition> partitions = new ArrayList<>(offsets.keySet());
        partitions.sort((a, b) -> a.toString().compareTo(b.toString()));
        for (TopicPartition partition : partitions) {
            KafkaBroker.Topic topic = broker.requireTopic(partition.topic());
            SettledOffsets before = settled(partition);
            SettledOffsets after =
                    SettledOffsets.of(new ClusterTopicId("simulated", topic.id()), offsets.get(partition));
            settled.put(partition, after);
            simulation.trace().add("broker", () -> process + " commits " + partition + ": " + after);
            if (!group.equals(settings.requests().group())) {
                continue;
            }
            reader.committed(partition, after);
            for (StoredRecord record : broker.log(partition).from(before.committed())) {
                // A commit with less room for its ledger may leave out what an earlier one had.
                if (isRequest(record)
                        && after.contains(record.offset())
                        && acknowledged
                                .computeIfAbsent(partition, any -> new HashSet<>())
                                .add(record.offset())) {
                    listener.acknowledged(callOf(record), process);
                }
            }
        }
    }

    @Override
    public void commitSent(String process, String group) {
        if (group.equals(settings.requests().group())) {
            readersByName.get(process).commitSent();
        }
    }

    @Override
    public void closing(String process, String group) {
        if (group.equals(settings.requests().group())) {
            readersByName.get(process).closing();
        }
    }

    @Override
    public void revoked(String process, Collection<TopicPartition> partitions) {
        readersByName.get(process).revoked(partitions);
    }
}
