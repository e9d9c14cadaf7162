package io.iocluster.node;

import static org.awaitility.Awaitility.await;

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
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
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
     */
    public record Drain(double perSecond, double cpuMicros) {}

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

    /** Queues calls while the node does not read, and then measures until it has answered all of them. */
    public Drain drain(int calls, IntFunction<String> envelope) throws Exception {
        post("/api/pause");
        long before = answered();
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
                .until(() -> answered() - before >= calls);
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Drain(calls / seconds, cpu().minus(cpuBefore).toNanos() / 1e3 / calls);
    }

    private Duration cpu() {
        return ProcessHandle.of(node.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow();
    }

    private long answered() throws Exception {
        return admin.listOffsets(answers).all().get().values().stream()
                .mapToLong(each -> each.offset())
                .sum();
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
