package io.iocluster.lab.load.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.LatencyRecorder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import tools.jackson.databind.json.JsonMapper;

/**
 * A Kafka consumer that knows nothing of the load tool. It takes the time of each request from its record, and the time of each answer
 * when it receives the answer.
 */
final class LatencyObserver implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    private final String requests;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<String, Long> sentMillis = new ConcurrentHashMap<>();
    private final Map<String, Long> answeredMillis = new ConcurrentHashMap<>();
    private final Thread thread = new Thread(this::observe, "observer");
    private volatile boolean stopped;

    /** Reads both topics from their ends on. */
    LatencyObserver(String bootstrapServers, String requests, String answers) {
        this.requests = requests;
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(Stream.of(requests, answers)
                .flatMap(topic -> consumer.partitionsFor(topic).stream())
                .map(each -> new TopicPartition(each.topic(), each.partition()))
                .toList());
        consumer.seekToEnd(consumer.assignment());
        consumer.assignment().forEach(consumer::position);
        thread.start();
    }

    private void observe() {
        while (!stopped) {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(200));
            long now = System.currentTimeMillis();
            for (ConsumerRecord<byte[], byte[]> each : records) {
                String id = JSON.readTree(each.value()).path("id").asString();
                if (each.topic().equals(requests)) {
                    sentMillis.put(id, each.timestamp());
                } else {
                    answeredMillis.put(id, now);
                }
            }
        }
        consumer.close();
    }

    /** Returns the latencies of the requests that were sent in this time, when all of them are answered. */
    LatencyHistogram latencies(long fromMillis, long toMillis) {
        await().untilAsserted(() -> assertThat(answeredMillis.keySet()).containsAll(sentMillis.keySet()));
        LatencyRecorder latencies = new LatencyRecorder();
        sentMillis.forEach((id, sent) -> {
            if (sent >= fromMillis && sent < toMillis) {
                latencies.record(TimeUnit.MILLISECONDS.toNanos(answeredMillis.get(id) - sent));
            }
        });
        return latencies.histogram();
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        thread.join();
    }
}
