package io.iocluster.node.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.NodeProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaUnavailableIT {

    private static final String TIMEOUTS = "  properties: {request.timeout.ms: 3000, default.api.timeout.ms: 3000}";

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void waitsForAMissingBrokerWithoutFloodingTheLogAndRecovers() throws Exception {
        try (KafkaNodeFixture fixture = new KafkaNodeFixture(1, Map.of())) {
            fixture.broker.stop();
            long start = System.nanoTime();
            NodeProcess node = fixture.startNode("node-1", "none", TIMEOUTS);
            String admin = node.adminUrl();

            // Longer than three timeouts of the clients.
            await().atMost(Duration.ofMinutes(2))
                    .during(Duration.ofSeconds(10))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> node.isAlive()
                            && get(admin + "/livez").statusCode() == 200
                            && get(admin + "/readyz").statusCode() == 503);

            assertThat(get(admin + "/readyz").body())
                    .containsPattern("kafka at " + fixture.broker.bootstrapServers()
                            + " is not connected: (End offsets cannot be read|Reading from the broker failed): ");
            assertWarnedOnceAMinute(node, start, fixture.broker.bootstrapServers());

            fixture.broker.start();
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> get(admin + "/readyz").statusCode() == 200);
            send(fixture, "{\"url\":\"" + fixture.target.url("/ok") + "\"}");
            await().atMost(Duration.ofMinutes(2))
                    .until(() ->
                            fixture.broker.readAll(KafkaNodeFixture.ANSWERS).size() == 1);
            assertWarnedOnceAMinute(node, start, fixture.broker.bootstrapServers());
            assertThat(node.logLines())
                    .anyMatch(line -> line.matches(".* Recovered after=\\d+(s|m) broker="
                            + fixture.broker.bootstrapServers() + " problem=.*"));
        }
    }

    /** Asserts that the node warned at most once a minute. A busy machine may take minutes to start the broker. */
    private static void assertWarnedOnceAMinute(NodeProcess node, long startNanos, String broker) {
        assertThat(node.logLines())
                .filteredOn(line -> !line.contains(" INFO "))
                .hasSizeBetween(1, 1 + (int) TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - startNanos))
                .allMatch(line -> line.contains("; retrying broker=" + broker));
    }

    private static void send(KafkaNodeFixture fixture, String envelope) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", fixture.broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(KafkaNodeFixture.REQUESTS, envelope.getBytes(StandardCharsets.UTF_8)))
                    .get(1, TimeUnit.MINUTES);
        }
    }

    private HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
