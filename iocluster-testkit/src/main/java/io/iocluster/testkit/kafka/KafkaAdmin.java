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

/** The few questions to a broker that the providers ask. Used by one thread. */
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
     * @param alive asked between attempts; once false, waiting ends
     * @return whether it answers
     */
    static boolean awaitReady(String host, int port, Duration within, BooleanSupplier alive) {
        long end = System.nanoTime() + within.toNanos();
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
            throw new IllegalStateException("cannot create " + name, e);
        }
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        if (!Polling.pollUntil(end, () -> hasLeaders(name, partitions))) {
            throw new IllegalStateException(name + " has no leaders");
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

    /** Whether each partition's leader knows that it is: before that, what a producer sends may be lost (KAFKA-15591). */
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
