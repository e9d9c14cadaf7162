package io.iocluster.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class KafkaProcessIT {

    private static KafkaProcess broker;

    @BeforeAll
    static void launch() {
        broker = KafkaProcess.launch();
    }

    @AfterAll
    static void close() {
        broker.close();
    }

    @Test
    void keepsDataAndPortOverAKill() throws Exception {
        String before = broker.bootstrapServers();
        broker.createTopic("kept", 2, Map.of());
        send("kept", "first");

        broker.kill();
        broker.start();
        send("kept", "second");

        assertThat(broker.bootstrapServers()).isEqualTo(before);
        assertThat(read("kept")).containsExactlyInAnyOrder("first", "second");
    }

    @Test
    void doesNotAnswerWhilePaused() throws Exception {
        broker.createTopic("paused", 1, Map.of());

        broker.pause();
        assertThatThrownBy(() -> send("paused", "lost", Duration.ofSeconds(3))).isInstanceOf(ExecutionException.class);
        broker.unpause();
        send("paused", "found");

        assertThat(read("paused")).contains("found");
    }

    private static void send(String topic, String value) throws Exception {
        send(topic, value, Duration.ofMinutes(1));
    }

    private static void send(String topic, String value, Duration timeout) throws Exception {
        int millis = (int) timeout.toMillis();
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "max.block.ms",
                millis,
                "delivery.timeout.ms",
                millis,
                "request.timeout.ms",
                millis,
                "linger.ms",
                0);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, 0, null, value)).get(2, TimeUnit.MINUTES);
        }
    }

    private static List<String> read(String topic) {
        return broker.readAll(topic).stream()
                .map(message -> new String(message.value(), StandardCharsets.UTF_8))
                .toList();
    }
}
