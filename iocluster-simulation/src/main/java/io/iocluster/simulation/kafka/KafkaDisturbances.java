package io.iocluster.simulation.kafka;

import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** The faults that only Kafka has. Confined to the thread of the simulation. */
final class KafkaDisturbances {

    private static final int MAX_PARTITIONS = 6;
    private static final int MIN_RECORD_BYTES = 300;
    private static final int MAX_RECORD_BYTES = 900;
    private static final Duration STORM_INTERVAL = Duration.ofMillis(200);

    private final Simulation simulation;
    private final KafkaBroker broker;
    private final String requests;
    private final List<String> answers;
    private final String group;
    private final List<Runnable> ends = new ArrayList<>();

    /** What goes wrong. */
    private enum Kind {
        /** The group assigns its partitions again and again. */
        REBALANCE_STORM,
        /** The session of a live member ends. */
        FENCED_MEMBER,
        /** A partition has no leader for a time. */
        LEADER_MOVES,
        /** Requests and answers are lost, and sent again. */
        LOSSY_NETWORK,
        SLOW_NETWORK,
        PARTITIONS_ADDED,
        /** Another producer keeps a transaction open. */
        OPEN_TRANSACTION,
        /** Offsets without a record, as aborted transactions, markers and compaction leave. */
        OFFSET_GAPS,
        /** A partition accepts no records. */
        FULL_DISK,
        /** The topics of answers accept small records only. */
        SMALL_RECORDS,
        /** {@code offset.metadata.max.bytes} is smaller than the node wants. */
        SMALL_METADATA
    }

    KafkaDisturbances(Simulation simulation, KafkaBroker broker, String requests, List<String> answers, String group) {
        this.simulation = simulation;
        this.broker = broker;
        this.requests = requests;
        this.answers = answers;
        this.group = group;
    }

    /** Begins the fault that the number from 0 to 1 says. */
    void begin(double which, SimulatedProcess node, Duration time) {
        Kind[] kinds = Kind.values();
        Kind kind = kinds[Math.min((int) (which * kinds.length), kinds.length - 1)];
        simulation.trace().add("fault", kind::toString);
        long end = simulation.nanos() + time.toNanos();
        switch (kind) {
            case REBALANCE_STORM -> storm(end);
            case FENCED_MEMBER -> broker.expire(group, node);
            case LEADER_MOVES -> {
                broker.moveLeader(anyPartition(requests), time);
                broker.moveLeader(anyPartition(anyAnswers()), time);
            }
            case LOSSY_NETWORK -> {
                broker.setLoss(0.2, 0.2);
                endAfter(time, () -> broker.setLoss(0, 0));
            }
            case SLOW_NETWORK -> {
                broker.setMaxDelay(Duration.ofMillis(500));
                endAfter(time, () -> broker.setMaxDelay(KafkaBroker.DEFAULT_MAX_DELAY));
            }
            case PARTITIONS_ADDED -> {
                int count = broker.topic(requests).partitions().size();
                broker.addPartitions(requests, Math.min(MAX_PARTITIONS, count + 1));
            }
            case OPEN_TRANSACTION -> {
                TopicPartition partition = anyPartition(requests);
                broker.beginTransaction(partition);
                endAfter(time, () -> broker.endTransaction(partition, true));
            }
            case OFFSET_GAPS ->
                broker.skipOffsets(
                        anyPartition(requests), 1 + simulation.random().nextInt(5));
            case FULL_DISK -> {
                TopicPartition partition = anyPartition(anyAnswers());
                broker.setFull(partition, true);
                endAfter(time, () -> setNotFull(partition));
            }
            case SMALL_RECORDS -> {
                int bytes = MIN_RECORD_BYTES + simulation.random().nextInt(MAX_RECORD_BYTES - MIN_RECORD_BYTES);
                answers.forEach(topic -> broker.setMaxMessageBytes(topic, bytes));
                endAfter(
                        time,
                        () -> answers.forEach(
                                topic -> broker.setMaxMessageBytes(topic, KafkaBroker.DEFAULT_MAX_MESSAGE_BYTES)));
            }
            case SMALL_METADATA -> {
                broker.setMaxMetadata(simulation.random().nextInt(100));
                endAfter(time, () -> broker.setMaxMetadata(ConsumerGroup.DEFAULT_MAX_METADATA));
            }
        }
    }

    /** Returns a topic of answers that exists. */
    private String anyAnswers() {
        List<String> existing =
                answers.stream().filter(topic -> broker.topic(topic) != null).toList();
        return existing.get(simulation.random().nextInt(existing.size()));
    }

    private TopicPartition anyPartition(String topic) {
        int count = broker.topic(topic).partitions().size();
        return new TopicPartition(topic, simulation.random().nextInt(count));
    }

    private void setNotFull(TopicPartition partition) {
        if (broker.topic(partition.topic()) != null) {
            broker.setFull(partition, false);
        }
    }

    private void storm(long endNanos) {
        broker.rebalance(group);
        if (simulation.nanos() < endNanos) {
            simulation.after(STORM_INTERVAL, () -> storm(endNanos));
        }
    }

    private void endAfter(Duration time, Runnable end) {
        Runnable once = new Runnable() {
            private boolean ended;

            @Override
            public void run() {
                if (!ended) {
                    ended = true;
                    end.run();
                }
            }
        };
        ends.add(once);
        simulation.after(time, once);
    }

    /** Ends all faults. */
    void end() {
        List<Runnable> open = List.copyOf(ends);
        ends.clear();
        open.forEach(Runnable::run);
    }
}
