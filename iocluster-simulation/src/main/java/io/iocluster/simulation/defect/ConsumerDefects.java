package io.iocluster.simulation.defect;

import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.kafka.KafkaNodeTransport;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.transport.Transport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.TopicPartition;

/** Defects of the Kafka source: how it uses its consumer. Nothing is defective with another broker. */
final class ConsumerDefects {

    private ConsumerDefects() {}

    /** Changes calls of a consumer. */
    private interface Defect {

        /** Returns the arguments to use. */
        default Object[] arguments(Consumer<byte[], byte[]> correct, String method, Object[] arguments) {
            return arguments;
        }

        /** Returns the result to use. */
        default Object result(String method, Object result) {
            return result;
        }

        /** Throws the failure of a call, or returns the result to use instead. */
        default Object failure(String method, Throwable failure) throws Throwable {
            throw failure;
        }
    }

    private static Wiring of(Defect defect) {
        return new Wiring() {

            @Override
            public Transport transport(SimulatedProcess process, Transport correct) {
                if (correct instanceof KafkaNodeTransport kafka) {
                    kafka.replaceConsumers(consumer -> defective(consumer, defect));
                }
                return correct;
            }
        };
    }

    @SuppressWarnings("unchecked") // The proxy has the type of the consumer.
    private static Consumer<byte[], byte[]> defective(Consumer<byte[], byte[]> correct, Defect defect) {
        return (Consumer<byte[], byte[]>) Proxy.newProxyInstance(
                Consumer.class.getClassLoader(), new Class<?>[] {Consumer.class}, (proxy, method, arguments) -> {
                    try {
                        Object[] changed = defect.arguments(correct, method.getName(), arguments);
                        return defect.result(method.getName(), method.invoke(correct, changed));
                    } catch (InvocationTargetException failed) {
                        return defect.failure(method.getName(), failed.getCause());
                    }
                });
    }

    /** Commits the position of the consumer, also if earlier records are open. */
    static Wiring commitsPositions() {
        return of(new Defect() {

            @Override
            public Object[] arguments(Consumer<byte[], byte[]> correct, String method, Object[] arguments) {
                if (!method.equals("commitAsync")) {
                    return arguments;
                }
                Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
                offsets(arguments)
                        .forEach((partition, offset) -> positions.put(
                                partition,
                                correct.assignment().contains(partition)
                                        ? new OffsetAndMetadata(Math.max(offset.offset(), correct.position(partition)))
                                        : offset));
                return new Object[] {positions, arguments[1]};
            }
        });
    }

    @SuppressWarnings("unchecked") // The first argument of a commit.
    private static Map<TopicPartition, OffsetAndMetadata> offsets(Object[] arguments) {
        return (Map<TopicPartition, OffsetAndMetadata>) arguments[0];
    }

    /** Reads no ledger: only the committed offset counts. */
    @SuppressWarnings("unchecked") // The result of Consumer.committed.
    static Wiring ignoresLedger() {
        return of(new Defect() {

            @Override
            public Object result(String method, Object result) {
                if (!method.equals("committed")) {
                    return result;
                }
                Map<TopicPartition, OffsetAndMetadata> bare = new HashMap<>();
                ((Map<TopicPartition, OffsetAndMetadata>) result)
                        .forEach((partition, offset) ->
                                bare.put(partition, offset == null ? null : new OffsetAndMetadata(offset.offset())));
                return bare;
            }
        });
    }

    /** Drops the last record of some batches. */
    @SuppressWarnings("unchecked") // The result of Consumer.poll.
    static Wiring dropsLastRecords(Every some) {
        return of(new Defect() {

            @Override
            public Object result(String method, Object result) {
                if (!method.equals("poll") || ((ConsumerRecords<byte[], byte[]>) result).isEmpty() || !some.next()) {
                    return result;
                }
                ConsumerRecords<byte[], byte[]> all = (ConsumerRecords<byte[], byte[]>) result;
                Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> fewer = new LinkedHashMap<>();
                for (TopicPartition partition : all.partitions()) {
                    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>(all.records(partition));
                    records.remove(records.size() - 1);
                    fewer.put(partition, records);
                }
                return new ConsumerRecords<>(fewer, all.nextOffsets());
            }
        });
    }

    /** Continues to offer records of partitions that it has lost. */
    static Wiring forgetsRevocations() {
        return of(new Defect() {

            @Override
            public Object[] arguments(Consumer<byte[], byte[]> correct, String method, Object[] arguments) {
                return method.equals("subscribe")
                        ? new Object[] {arguments[0], withoutRevocations((ConsumerRebalanceListener) arguments[1])}
                        : arguments;
            }
        });
    }

    private static ConsumerRebalanceListener withoutRevocations(ConsumerRebalanceListener correct) {
        return new ConsumerRebalanceListener() {

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                correct.onPartitionsAssigned(partitions);
            }

            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

            @Override
            public void onPartitionsLost(Collection<TopicPartition> partitions) {}
        };
    }

    /** Forgets the keys of records, and with them their order. */
    @SuppressWarnings("unchecked") // The result of Consumer.poll.
    static Wiring forgetsKeys() {
        return of(new Defect() {

            @Override
            public Object result(String method, Object result) {
                if (!method.equals("poll")) {
                    return result;
                }
                ConsumerRecords<byte[], byte[]> all = (ConsumerRecords<byte[], byte[]>) result;
                Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> without = new LinkedHashMap<>();
                for (TopicPartition partition : all.partitions()) {
                    without.put(
                            partition,
                            all.records(partition).stream()
                                    .map(ConsumerDefects::withoutKey)
                                    .toList());
                }
                return new ConsumerRecords<>(without, all.nextOffsets());
            }
        });
    }

    private static ConsumerRecord<byte[], byte[]> withoutKey(ConsumerRecord<byte[], byte[]> record) {
        return new ConsumerRecord<>(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.timestampType(),
                -1,
                record.serializedValueSize(),
                null,
                record.value(),
                record.headers(),
                record.leaderEpoch());
    }

    /** Takes a refused commit for a successful one, also if the generation of the member has ended. */
    static Wiring ignoresRefusedCommits() {
        return of(new Defect() {

            @Override
            public Object[] arguments(Consumer<byte[], byte[]> correct, String method, Object[] arguments) {
                if (!method.equals("commitAsync")) {
                    return arguments;
                }
                OffsetCommitCallback callback = (OffsetCommitCallback) arguments[1];
                OffsetCommitCallback succeeds = (offsets, refused) -> callback.onComplete(offsets, null);
                return new Object[] {arguments[0], succeeds};
            }

            @Override
            public Object failure(String method, Throwable failure) throws Throwable {
                if (!method.equals("commitSync")) {
                    throw failure;
                }
                return null;
            }
        });
    }

    /** Repeats a commit of an ended generation in the next one, although the partitions may have another owner. */
    static Wiring repeatsFencedCommits() {
        IdentityHashMap<Consumer<byte[], byte[]>, Map<TopicPartition, OffsetAndMetadata>> byConsumer =
                new IdentityHashMap<>();
        return of(new Defect() {

            @Override
            public Object[] arguments(Consumer<byte[], byte[]> correct, String method, Object[] arguments) {
                if (!method.equals("commitAsync")) {
                    return arguments;
                }
                Map<TopicPartition, OffsetAndMetadata> fenced =
                        byConsumer.computeIfAbsent(correct, any -> new HashMap<>());
                Map<TopicPartition, OffsetAndMetadata> all = new HashMap<>(fenced);
                fenced.clear();
                all.putAll(offsets(arguments));
                OffsetCommitCallback callback = (OffsetCommitCallback) arguments[1];
                OffsetCommitCallback remembers = (offsets, refused) -> {
                    if (refused instanceof CommitFailedException) {
                        fenced.putAll(offsets);
                    }
                    callback.onComplete(offsets, refused);
                };
                return new Object[] {all, remembers};
            }
        });
    }

    /** Does not seek back to a released record, so the node reads it again only after a rebalance. */
    static Wiring ignoresRewinds() {
        return of(new Defect() {

            @Override
            public Object[] arguments(Consumer<byte[], byte[]> correct, String method, Object[] arguments) {
                if (!method.equals("seek") || !(arguments[1] instanceof Long offset)) {
                    return arguments;
                }
                TopicPartition partition = (TopicPartition) arguments[0];
                return new Object[] {partition, Math.max(offset, correct.position(partition))};
            }
        });
    }

    /** Forgets to commit when it stops or loses a partition. */
    static Wiring skipsLastCommits() {
        return of(new Defect() {

            @Override
            public Object[] arguments(Consumer<byte[], byte[]> correct, String method, Object[] arguments) {
                return method.equals("commitSync") ? new Object[] {Map.of(), arguments[1]} : arguments;
            }
        });
    }
}
