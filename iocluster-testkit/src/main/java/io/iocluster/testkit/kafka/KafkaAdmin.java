package io.iocluster.testkit.kafka;

import io.iocluster.testkit.broker.Polling;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** Admin requests to a test broker. Confined to one thread. */
final class KafkaAdmin implements AutoCloseable {

    private final Admin admin;

    KafkaAdmin(String bootstrapServers) {
        this.admin = Admin.create(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "request.timeout.ms",
                "5000",
                "default.api.timeout.ms",
                "10000",
                "enable.metrics.push",
                "false"));
    }

    /**
     * Waits until the broker answers.
     *
     * @param alive polled between attempts; the wait ends when it is false
     * @return whether the broker answers
     */
    static boolean awaitReady(String host, int port, Duration timeout, BooleanSupplier alive) {
        long end = System.nanoTime() + timeout.toNanos();
        if (!Polling.pollUntil(end, () -> !alive.getAsBoolean() || Polling.isListening(host, port))) {
            return false;
        }
        try (KafkaAdmin admin = new KafkaAdmin(host + ":" + port)) {
            return Polling.pollUntil(end, () -> !alive.getAsBoolean() || admin.hasNode()) && alive.getAsBoolean();
        }
    }

    void createTopic(String name, int partitions, Map<String, String> configs) {
        NewTopic topic = new NewTopic(name, partitions, (short) 1).configs(configs);
        try {
            admin.createTopics(List.of(topic)).all().get(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("cannot create topic " + name, e);
        }
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        if (!Polling.pollUntil(end, () -> hasLeaders(name, partitions))) {
            throw new IllegalStateException("topic " + name + " has a partition without a leader after 30s");
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(2));
    }

    private boolean hasNode() {
        try {
            return !admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).isEmpty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    /**
     * Returns whether each partition's leader knows that it is the leader. Before that, records of a producer may be
     * lost (KAFKA-15591).
     */
    private boolean hasLeaders(String name, int partitions) {
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(i -> new TopicPartition(name, i), i -> OffsetSpec.latest()));
        try {
            admin.listOffsets(ends).all().get(5, TimeUnit.SECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }
}
