package io.iocluster.node;

import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Lets a node in its own process read queued calls, and measures how long that takes and how much CPU time it costs. Owned by one test. */
public final class MeasuredKafkaNode implements AutoCloseable {

    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final KafkaNodeFixture stage;
    private final NodeProcess node;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Map<TopicPartition, OffsetSpec> answers = new HashMap<>();

    /**
     * The result of a measurement.
     *
     * @param perSecond answers a second
     * @param cpuMicros CPU time of the node for each answer
     * @param hits answers from the cache
     */
    public record Drain(double perSecond, double cpuMicros, long hits) {}

    /** Starts to measure a node that is ready. */
    public MeasuredKafkaNode(KafkaNodeFixture stage, NodeProcess node) {
        this.stage = stage;
        this.node = node;
        this.admin = Admin.create(Map.of("bootstrap.servers", stage.broker.bootstrapServers()));
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", stage.broker.bootstrapServers(), "linger.ms", "20"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        for (int i = 0; i < stage.partitions; i++) {
            answers.put(new TopicPartition(KafkaNodeFixture.ANSWERS, i), OffsetSpec.latest());
        }
    }

    /**
     * Queues calls while the node does not read, and then measures until it has answered all of them.
     *
     * @throws IllegalStateException if an answer has another status than 200, because an error costs less than a call
     */
    public Drain drain(int calls, IntFunction<String> envelope) throws Exception {
        post("/api/pause");
        Map<TopicPartition, Long> before = answerOffsets();
        for (int i = 0; i < calls; i++) {
            producer.send(new ProducerRecord<>(
                    KafkaNodeFixture.REQUESTS,
                    i % stage.partitions,
                    null,
                    envelope.apply(i).getBytes(StandardCharsets.UTF_8)));
        }
        producer.flush();
        Duration cpuBefore = cpu();
        long start = System.nanoTime();
        post("/api/resume");
        await().atMost(LONGEST)
                .pollInterval(POLL)
                .failFast("the node exited", () -> !node.isAlive())
                .until(() -> sum(answerOffsets()) - sum(before) >= calls);
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuMicros = cpu().minus(cpuBefore).toNanos() / 1e3 / calls;
        return new Drain(calls / seconds, cpuMicros, countHits(before, calls));
    }

    /** Reads the answers after these offsets. */
    private long countHits(Map<TopicPartition, Long> from, int calls) {
        AnswerDecoder decoder = new AnswerDecoder();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", stage.broker.bootstrapServers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(from.keySet());
            from.forEach(consumer::seek);
            long hits = 0;
            for (int read = 0; read < calls; ) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(POLL)) {
                    Answer answer = decoder.decode(each.value());
                    if (answer.status() != 200) {
                        throw new IllegalStateException("not every call was answered with 200: " + answer);
                    }
                    hits += answer.cache() != null && answer.cache().hit() ? 1 : 0;
                    read++;
                }
            }
            return hits;
        }
    }

    private Duration cpu() {
        return ProcessHandle.of(node.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow();
    }

    private Map<TopicPartition, Long> answerOffsets() throws Exception {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        admin.listOffsets(answers).all().get().forEach((partition, end) -> offsets.put(partition, end.offset()));
        return offsets;
    }

    private static long sum(Map<TopicPartition, Long> offsets) {
        return offsets.values().stream().mapToLong(Long::longValue).sum();
    }

    private void post(String path) throws IOException, InterruptedException {
        HttpResponse<String> response = CLIENT.send(
                HttpRequest.newBuilder(URI.create(node.adminUrl() + path))
                        .header("X-Requested-With", "measurement")
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() / 100 != 2) {
            throw new IOException(path + " ended with " + response.statusCode() + ": " + response.body());
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        admin.close();
    }
}
