package io.iocluster.node.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.ColdNode;
import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.RunningNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that answers to a missing topic block no other answers, and that their calls are not repeated. */
class MissingReplyTopicIT {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String MISSING = "replies.missing";

    private static KafkaNodeFixture fixture;
    private static KafkaProducer<byte[], byte[]> producer;
    private static RunningNode node;

    @BeforeAll
    static void startFixture() {
        fixture = new KafkaNodeFixture(1, Map.of());
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", fixture.broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        node = fixture.startInProcess(
                        "node-1",
                        "none",
                        "  confirm-timeout: 5s",
                        "answers: {give-up-after: 5s}",
                        ColdNode.LONG_TIMEOUTS)
                .awaitReady();
    }

    @AfterAll
    static void clear() {
        assertThat(node.terminate(LONG)).as(node.log()).isZero();
        producer.close();
        fixture.close();
    }

    @Test
    void answersOtherCallsAtOnceWhileAReplyTopicIsMissing() {
        Set<String> lost = ask("lost-", 600, MISSING);
        Set<String> good = ask("fine-", 300, null);

        await().atMost(LONG).until(() -> answered().containsAll(good));
        await().atMost(LONG).until(() -> answered().containsAll(lost));

        assertThat(fixture.target.requestLog().counts().values()).containsOnly(1);
        assertThat(deadLetters()).noneMatch(letter -> lost.contains(key(letter)) || good.contains(key(letter)));
        assertThat(fixture.broker.readAll(KafkaNodeFixture.ANSWERS))
                .anyMatch(answer -> new String(answer.value(), UTF_8).contains("reply-to-unknown"));
    }

    @Test
    void makesEachCallOnceWhileTheAnswerTopicIsMissing() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", fixture.broker.bootstrapServers()))) {
            admin.deleteTopics(List.of(KafkaNodeFixture.ANSWERS)).all().get();
            // The broker accepts answers until it learns from the controller that the topic is gone.
            await().until(() -> !admin.listTopics().names().get().contains(KafkaNodeFixture.ANSWERS));
            Set<String> kept = ask("kept-", 50, null);

            await().atMost(LONG).until(() -> keys(deadLetters()).containsAll(kept));
        } finally {
            fixture.broker.createTopic(KafkaNodeFixture.ANSWERS, 1, Map.of());
        }

        assertThat(fixture.target.requestLog().counts().values()).containsOnly(1);
        assertThat(deadLetters())
                .filteredOn(letter -> key(letter).startsWith("kept-"))
                .hasSize(50)
                .allSatisfy(letter -> assertThat(
                                letter.headers().lastHeader("iocluster-content").value())
                        .isEqualTo("answer".getBytes(UTF_8)));
        Set<String> next = ask("next-", 10, null);
        await().atMost(LONG).until(() -> answered().containsAll(next));
    }

    private static Set<String> ask(String prefix, int count, String replyTo) {
        List<String> ids = IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
        for (String id : ids) {
            String envelope = "{\"id\":\"" + id + "\",\"url\":\"" + fixture.target.url("/ok?id=" + id) + "\""
                    + (replyTo == null ? "" : ",\"replyTo\":\"" + replyTo + "\"") + "}";
            producer.send(
                    new ProducerRecord<>(KafkaNodeFixture.REQUESTS, id.getBytes(UTF_8), envelope.getBytes(UTF_8)));
        }
        producer.flush();
        return Set.copyOf(ids);
    }

    private static Set<String> answered() {
        return keys(fixture.broker.readAll(KafkaNodeFixture.ANSWERS));
    }

    private static List<ConsumerRecord<byte[], byte[]>> deadLetters() {
        return fixture.broker.readAll(KafkaNodeFixture.DEAD_LETTERS);
    }

    private static Set<String> keys(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream().map(MissingReplyTopicIT::key).collect(Collectors.toSet());
    }

    private static String key(ConsumerRecord<byte[], byte[]> message) {
        return new String(message.key(), UTF_8);
    }
}
