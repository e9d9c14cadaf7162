package io.iocluster.node.cli.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.cli.CommandRun;
import io.iocluster.transport.DeadLetterReason;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaReplayIT {

    private static final int LETTERS = 2_000;

    @TempDir
    private Path folder;

    private KafkaNodeFixture fixture;
    private String config;

    @BeforeEach
    void startFixture() {
        fixture = new KafkaNodeFixture(3, Map.of());
        config = fixture.configure("client", "none").toString();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void replaysEachDeadLetterOnceAlsoIfItIsKilledAndRunAgain() {
        publish(LETTERS, "no-usable-answer", "http://a.example/");
        // Slow, because the replay continues while a busy machine reads what it has published.
        try (ReplayProcess replay =
                ReplayProcess.start(folder.resolve("replay"), "dlq", "replay", "--rate", "200/s", "--config", config)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> requests().size() >= 200 || !replay.isAlive());
            assertThat(replay.isAlive()).isTrue();
        }
        int afterKill = requests().size();

        CommandRun last = run("replay");

        List<ConsumerRecord<byte[], byte[]>> requests = awaitRequests(LETTERS);
        assertThat(last.code()).as(last.err()).isZero();
        assertThat(requests).hasSize(LETTERS);
        assertThat(ids(requests)).hasSize(LETTERS);
        assertThat(last.out()).matches("replayed \\d+\n");
        // A killed replay may have committed records that could not be read at once.
        assertThat(Integer.parseInt(last.out().replaceAll("\\D", ""))).isBetween(1, LETTERS - afterKill);
        assertThat(run("replay").out()).isEqualTo("replayed 0\n");
        assertThat(requests()).hasSize(LETTERS);
    }

    @Test
    void keepsTheRequestAndMarksIt() {
        publish(1, "malformed-envelope", "http://a.example/");

        assertThat(run("replay").out()).isEqualTo("replayed 1\n");

        ConsumerRecord<byte[], byte[]> request = awaitRequests(1).get(0);
        assertThat(request.value()).asString().isEqualTo("{\"id\":\"0\",\"url\":\"http://a.example/\"}");
        assertThat(request.key()).asString().isEqualTo("key-0");
        assertThat(Stream.of(request.headers().toArray()).map(header -> header.key()))
                .containsExactlyInAnyOrder("sender", "iocluster-replayed");
        assertThat(new String(request.headers().lastHeader("iocluster-replayed").value(), UTF_8))
                .matches("dead-letters/\\d/0");
    }

    @Test
    void selectsByReasonDestinationAndAgeAndForgetsNothing() {
        publish(20, "answer-too-large", "http://a.example/");
        publish(30, "no-usable-answer", "http://b.example/");

        CommandRun dryRun = run("replay", "--dry-run", "--reason", "no-usable-answer");
        assertThat(dryRun.out()).isEqualTo("would replay 30\n");
        assertThat(requests()).isEmpty();
        assertThat(run("replay", "--older-than", "1h").out()).isEqualTo("replayed 0\n");
        assertThat(run("replay", "--destination", "b.example").out()).isEqualTo("replayed 30\n");
        assertThat(run("list").out()).contains("answer-too-large").doesNotContain("no-usable-answer");
        assertThat(run("replay", "--newer-than", "1h").out()).isEqualTo("replayed 20\n");
        assertThat(awaitRequests(50)).hasSize(50);
        assertThat(run("list", "--json").out()).isEmpty();
    }

    @Test
    void leavesAnswersAndTruncatedRequests() {
        publish(1, "answer-not-published", "http://a.example/", "iocluster-content", "answer");
        publish(1, "malformed-envelope", "http://a.example/", "iocluster-truncated", "headers,payload");

        CommandRun replay = run("replay");

        assertThat(replay.code()).isEqualTo(1);
        assertThat(replay.out()).isEqualTo("replayed 0\n");
        assertThat(replay.err().lines())
                .containsExactly(
                        "not replayed 1: it holds an answer and not the request",
                        "not replayed 1: it is truncated: headers,payload");
    }

    @Test
    void showsOneDeadLetterWithControlCharactersEscaped() {
        publish(1, "malformed-envelope", "http://a.example/\u001b[2J");
        String position =
                run("list").out().lines().skip(1).findFirst().orElseThrow().split(" ")[0];

        CommandRun show = run("show", position);

        assertThat(show.code()).as(show.err()).isZero();
        assertThat(show.out())
                .contains("iocluster-error-code: malformed-envelope", "sender: s", "http://a.example/\\u{1b}[2J")
                .doesNotContain("\u001b");
        assertThat(run("show", "dead-letters/0/77").err()).contains("there is no dead letter at dead-letters/0/77");
    }

    @Test
    void reportsAMissingTopic() {
        CommandRun list = CommandRun.of(
                "", Map.of("IOCLUSTER_KAFKA_DEAD_LETTERS_TOPIC", "gone"), "dlq", "list", "--config", config);

        assertThat(list.code()).isEqualTo(1);
        assertThat(list.err()).contains("topic gone");
    }

    private CommandRun run(String... arguments) {
        String[] command = Stream.of(Stream.of("dlq"), Stream.of(arguments), Stream.of("--config", config))
                .flatMap(part -> part)
                .toArray(String[]::new);
        return CommandRun.of("", Map.of(), command);
    }

    private void publish(int count, String code, String url, String... headers) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", fixture.broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(
                        KafkaNodeFixture.DEAD_LETTERS,
                        ("key-" + i).getBytes(UTF_8),
                        ("{\"id\":\"" + i + "\",\"url\":\"" + url + "\"}").getBytes(UTF_8));
                letter.headers().add("sender", "s".getBytes(UTF_8));
                new DeadLetterReason(code, "why")
                        .headers("requests/0/" + i, "n", Instant.now())
                        .forEach(letter.headers()::add);
                for (int h = 0; h < headers.length; h += 2) {
                    letter.headers().add(headers[h], headers[h + 1].getBytes(UTF_8));
                }
                producer.send(letter);
            }
        }
    }

    private static Set<String> ids(List<ConsumerRecord<byte[], byte[]>> requests) {
        Set<String> ids = new HashSet<>();
        requests.forEach(request -> ids.add(new String(request.key(), UTF_8)));
        return ids;
    }

    /** Waits for this number of requests, because Kafka ends a transaction for its producer before consumers can read the records. */
    private List<ConsumerRecord<byte[], byte[]>> awaitRequests(int count) {
        await().until(() -> requests().size() >= count);
        return requests();
    }

    /** Returns what nodes read: the records of committed transactions. */
    private List<ConsumerRecord<byte[], byte[]>> requests() {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        fixture.broker.bootstrapServers(),
                        "isolation.level",
                        "read_committed",
                        "fetch.max.wait.ms",
                        "50"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(KafkaNodeFixture.REQUESTS).stream()
                    .map(info -> new TopicPartition(KafkaNodeFixture.REQUESTS, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }
}
