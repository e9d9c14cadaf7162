package io.iocluster.node.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.NodeProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Runs the egress cases on a node process that reads from Kafka and whose heap is smaller than any decompression bomb.
 */
class EgressIT extends EgressTestBase {

    @Override
    EgressScenario start(HostileTargets hostile) {
        KafkaNodeFixture kafka = new KafkaNodeFixture(1, Map.of());
        List<String> trust = hostile.trust().entrySet().stream()
                .map(entry -> "-D" + entry.getKey() + "=" + entry.getValue())
                .toList();
        NodeProcess node = kafka.startNode("node-1", trust, kafka.configure("node-1", "none", hostile.settings()))
                .awaitReady();
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        return new EgressScenario() {
            private int sent;

            @Override
            public Map<String, EgressResult> play(List<EgressCase> rows) {
                long now = System.currentTimeMillis();
                for (EgressCase row : rows) {
                    byte[] key = row.id().getBytes(StandardCharsets.UTF_8);
                    producer.send(new ProducerRecord<>(
                            KafkaNodeFixture.REQUESTS, 0, now - row.ageMillis(), key, row.payload()));
                }
                producer.flush();
                sent += rows.size();
                return await().atMost(Duration.ofMinutes(2))
                        .failFast("the node exited", () -> !node.isAlive())
                        .until(() -> results(kafka), results -> results.size() == sent);
            }

            @Override
            public void close() {
                assertThat(node.terminate(Duration.ofMinutes(2))).as(node.log()).isZero();
                producer.close();
                kafka.close();
            }
        };
    }

    private static Map<String, EgressResult> results(KafkaNodeFixture kafka) {
        List<ConsumerRecord<byte[], byte[]>> answers = kafka.broker.readAll(KafkaNodeFixture.ANSWERS);
        List<ConsumerRecord<byte[], byte[]>> letters = kafka.broker.readAll(KafkaNodeFixture.DEAD_LETTERS);
        Map<String, EgressResult> results = new HashMap<>();
        answers.forEach(answer -> results.put(key(answer), EgressResult.answer(answer.value())));
        letters.forEach(letter -> results.put(key(letter), EgressResult.deadLetter(code(letter))));
        assertThat(Stream.of(answers, letters).mapToInt(List::size).sum())
                .as("each row ends once")
                .isEqualTo(results.size());
        return results;
    }

    private static String key(ConsumerRecord<byte[], byte[]> message) {
        return new String(message.key(), StandardCharsets.UTF_8);
    }

    private static String code(ConsumerRecord<byte[], byte[]> letter) {
        return new String(letter.headers().lastHeader("iocluster-error-code").value(), StandardCharsets.UTF_8);
    }
}
