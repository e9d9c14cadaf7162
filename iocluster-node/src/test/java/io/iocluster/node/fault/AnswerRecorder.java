package io.iocluster.node.fault;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Outcome;
import io.iocluster.node.NodeProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Records all answers by id. Reads on its own thread until it is closed. Thread-safe. */
final class AnswerRecorder implements AutoCloseable {

    private final AnswerDecoder decoder = new AnswerDecoder();
    private final Map<String, Integer> byId = new ConcurrentHashMap<>();
    private final Set<String> nodes = ConcurrentHashMap.newKeySet();
    private final AtomicInteger total = new AtomicInteger();
    private final Map<String, Integer> notAnswered = new ConcurrentHashMap<>();
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread reader = new Thread(this::read, "answer-ledger");
    private volatile boolean closed;

    AnswerRecorder(String bootstrapServers, String topic) {
        consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        reader.start();
    }

    private void read() {
        while (!closed) {
            for (ConsumerRecord<byte[], byte[]> answer : consumer.poll(Duration.ofMillis(100))) {
                count(decoder.decode(answer.value()));
            }
        }
        consumer.close();
    }

    private void count(Answer answer) {
        if (answer.outcome() != Outcome.ANSWERED) {
            notAnswered.merge(answer.error().code(), 1, Integer::sum);
        }
        nodes.add(answer.node());
        byId.merge(answer.id(), 1, Integer::sum);
        total.incrementAndGet();
    }

    /** Returns the number of distinct ids with an answer. */
    int answeredIds() {
        return byId.size();
    }

    /** Returns the number of duplicate answers. */
    int duplicates() {
        return total.get() - byId.size();
    }

    /** Returns the number of answers with an outcome other than {@code answered}, by error code. */
    Map<String, Integer> notAnswered() {
        return Map.copyOf(notAnswered);
    }

    /** Waits until this number of ids has an answer. */
    void awaitIds(int ids, Duration within, NodeProcess... processes) {
        awaitIds(() -> byId.size() >= ids, within, processes);
    }

    /** Waits for the first answer of a node. */
    void awaitAnswerOf(String node, Duration within, NodeProcess... processes) {
        awaitIds(() -> nodes.contains(node), within, processes);
    }

    private void awaitIds(BooleanSupplier condition, Duration within, NodeProcess... processes) {
        long end = System.nanoTime() + within.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                StringBuilder logs = new StringBuilder();
                for (NodeProcess process : processes) {
                    logs.append("\n---\n").append(process.log());
                }
                throw new AssertionError(byId.size() + " ids had an answer within " + within + ", by " + nodes + logs);
            }
            LockSupport.parkNanos(10_000_000);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            reader.join(10_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
