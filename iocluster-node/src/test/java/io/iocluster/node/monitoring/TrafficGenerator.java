package io.iocluster.node.monitoring;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.target.TargetServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Calls of all kinds, several times a second until it is closed: to a partner that answers most, to a host where nobody listens,
 * and more than are answered to one that keeps its callers waiting; and messages that are none. Owned by one test class.
 */
public final class TrafficGenerator implements AutoCloseable {

    /** A node's policy for those who are called. */
    public static final String[] DESTINATIONS = {
        "workers: {threads: 1, max-in-flight: 20}",
        "http: {timeout: 2m, deadline: 4m}",
        "destinations:",
        "  - {match: 127.0.0.1, name: partner, max-in-flight: 1000}",
        "  - {match: 127.0.0.2, name: down}",
        "  - {match: 127.0.0.3, name: slow}"
    };

    private static final int A_TURN_MILLIS = 250;
    private static final int TURNS_TO_FILL = 60;
    private static final long AGE_MILLIS = Duration.ofMinutes(10).toMillis();

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final TargetServer slow = TargetServer.start("127.0.0.3", 0, 1, false);
    private final String down = "http://127.0.0.2:" + FreePorts.find(1)[0] + "/";
    private final TargetServer partner;
    private final KafkaProducer<byte[], byte[]> producer;
    /** Of the clock's thread. */
    private int turns;

    public TrafficGenerator(KafkaNodeFixture stage) {
        partner = stage.target;
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", stage.broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        clock.scheduleAtFixedRate(this::turn, 0, A_TURN_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void turn() {
        call(8, partner.url("/ok"), 3);
        call(1, partner.url("/status?code=503"), 2);
        call(1, partner.url("/reset"), 1);
        call(1, partner.url("/ok").replace("http:", "https:"), 1);
        call(4, down, 1);
        // They fill the places, then the lines, which hold a thousand each; further ones are turned away.
        call(turns++ < TURNS_TO_FILL ? 40 : 2, slow.url("/never"), 1);
        send("no envelope");
    }

    private void call(int times, String url, int attempts) {
        for (int i = 0; i < times; i++) {
            send("{\"url\": \"" + url + "\", \"retry\": {\"maxAttempts\": " + attempts + "}}");
        }
    }

    /** Each as if it had been sent ten minutes ago. */
    private void send(String message) {
        producer.send(new ProducerRecord<>(
                KafkaNodeFixture.REQUESTS,
                null,
                System.currentTimeMillis() - AGE_MILLIS,
                null,
                message.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {
        clock.shutdownNow();
        producer.close(Duration.ofSeconds(5));
        slow.close();
    }
}
