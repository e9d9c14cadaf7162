package io.iocluster.node.cli.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.node.cli.CommandRun;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.transport.DeadLetterReason;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RabbitReplayIT {

    private static final int LETTERS = 2_000;

    private static RabbitBroker broker;

    @TempDir
    private Path folder;

    private RabbitNodeFixture fixture;
    private String config;

    @BeforeAll
    static void launch() {
        broker = SharedBrokers.emptyRabbit();
    }

    @BeforeEach
    void startFixture() {
        fixture = new RabbitNodeFixture(broker);
        config = fixture.configure("client").toString();
        for (String queue : List.of(fixture.requests, fixture.deadLetters)) {
            broker.declareQueue(queue, Map.of("x-queue-type", "quorum"));
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void replaysEachDeadLetterOnceAlsoIfItIsKilledAndRunAgain() throws Exception {
        publish(LETTERS, "no-usable-answer", "http://a.example/");
        // Slow, because the replay continues while a busy broker counts its messages.
        try (ReplayProcess replay =
                ReplayProcess.start(folder.resolve("replay"), "dlq", "replay", "--rate", "200/s", "--config", config)) {
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> broker.readyMessages(fixture.requests) >= 200 || !replay.isAlive());
            assertThat(replay.isAlive()).isTrue();
        }
        // A replay leaves out dead letters that the killed one still holds.
        await().until(() -> broker.queueNumber(fixture.deadLetters, "messages_unacknowledged") == 0);

        CommandRun last = run("replay");

        assertThat(last.code()).as(last.err()).isZero();
        assertThat(last.out()).matches("replayed \\d+\n");
        assertThat(Integer.parseInt(last.out().replaceAll("\\D", ""))).isBetween(1, LETTERS - 200);
        assertThat(run("replay").out()).isEqualTo("replayed 0\n");
        // The broker counts its messages from time to time.
        await().until(() -> broker.readyMessages(fixture.deadLetters) == 0);
        await().until(() -> broker.readyMessages(fixture.requests) == LETTERS);
        assertThat(broker.consume(fixture.requests).stream()
                        .map(request -> request.getProps().getCorrelationId()))
                .hasSize(LETTERS)
                .doesNotHaveDuplicates();
    }

    @Test
    void keepsTheRequestAndMarksIt() throws Exception {
        publish(1, "malformed-envelope", "http://a.example/");

        assertThat(run("replay").out()).isEqualTo("replayed 1\n");

        GetResponse request = broker.consume(fixture.requests).get(0);
        assertThat(request.getBody()).asString().isEqualTo("{\"id\":\"0\",\"url\":\"http://a.example/\"}");
        assertThat(request.getProps().getCorrelationId()).isEqualTo("key-0");
        assertThat(request.getProps().getTimestamp()).isAfter(Instant.now().minusSeconds(60));
        assertThat(request.getProps().getHeaders())
                .containsKey("sender")
                .doesNotContainKeys("iocluster-error-code", "iocluster-source", "iocluster-failed-at");
        assertThat(request.getProps().getHeaders().get("iocluster-replayed"))
                .asString()
                .matches(fixture.deadLetters + "/[0-9a-f]{24}");
    }

    @Test
    void selectsByReasonDestinationAndAgeAndForgetsNothing() throws Exception {
        publish(20, "answer-too-large", "http://a.example/");
        publish(30, "no-usable-answer", "http://b.example/");

        CommandRun dryRun = run("replay", "--dry-run", "--reason", "no-usable-answer");
        assertThat(dryRun.out()).as(dryRun.err()).isEqualTo("would replay 30\n");
        assertThat(broker.readyMessages(fixture.requests)).isZero();
        assertThat(run("replay", "--older-than", "1h").out()).isEqualTo("replayed 0\n");
        assertThat(run("replay", "--destination", "b.example").out()).isEqualTo("replayed 30\n");
        assertThat(run("list").out()).contains("answer-too-large").doesNotContain("no-usable-answer");
        assertThat(run("replay", "--newer-than", "1h").out()).isEqualTo("replayed 20\n");
        assertThat(broker.consume(fixture.requests)).hasSize(50);
        assertThat(run("list", "--json").out()).isEmpty();
    }

    @Test
    void leavesAnswersAndTruncatedRequests() throws Exception {
        publish(1, "answer-not-published", "http://a.example/", "iocluster-content", "answer");
        publish(1, "malformed-envelope", "http://a.example/", "iocluster-truncated", "headers,payload");

        CommandRun replay = run("replay");

        assertThat(replay.code()).isEqualTo(1);
        assertThat(replay.out()).isEqualTo("replayed 0\n");
        assertThat(replay.err().lines())
                .containsExactly(
                        "not replayed 1: it holds an answer and not the request",
                        "not replayed 1: it is truncated: headers,payload");
        await().until(() -> broker.readyMessages(fixture.deadLetters) == 2);
    }

    @Test
    void showsOneDeadLetterWithControlCharactersEscaped() throws Exception {
        publish(1, "malformed-envelope", "http://a.example/\u001b[2J");
        String position =
                run("list").out().lines().skip(1).findFirst().orElseThrow().split(" ")[0];

        CommandRun show = run("show", position);

        assertThat(show.code()).as(show.err()).isZero();
        assertThat(show.out())
                .contains(
                        "iocluster-error-code: malformed-envelope",
                        "sender: s",
                        "correlation_id: key-0",
                        "http://a.example/\\u{1b}[2J")
                .doesNotContain("\u001b");
        assertThat(run("show", "nowhere/77").err()).contains("there is no dead letter at nowhere/77");
    }

    @Test
    void aNodeAnswersAReplayedRequest() throws Exception {
        publish(1, "no-usable-answer", fixture.target.url("/ok?id=again"));
        fixture.startInProcess("node-1");

        assertThat(run("replay").out()).isEqualTo("replayed 1\n");

        await().atMost(RabbitNodeFixture.LONG).until(() -> isDeclared(fixture.answers) && answers() == 1);
        assertThat(broker.consume(fixture.answers).get(0).getProps().getCorrelationId())
                .isEqualTo("key-0");
    }

    @Test
    void reportsAMissingQueue() {
        CommandRun list = CommandRun.of(
                "", Map.of("IOCLUSTER_RABBIT_DEAD_LETTERS_QUEUE", "gone"), "dlq", "list", "--config", config);

        assertThat(list.code()).isEqualTo(1);
        assertThat(list.err()).contains("rabbit: queue gone: does not exist");
    }

    private boolean isDeclared(String queue) {
        return broker.queueNumber(queue, "messages") >= 0;
    }

    private long answers() {
        return broker.readyMessages(fixture.answers);
    }

    private CommandRun run(String... arguments) {
        String[] command = Stream.of(Stream.of("dlq"), Stream.of(arguments), Stream.of("--config", config))
                .flatMap(part -> part)
                .toArray(String[]::new);
        return CommandRun.of("", Map.of(), command);
    }

    private void publish(int count, String code, String url, String... headers) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(URI.create(broker.uri()));
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            channel.confirmSelect();
            for (int i = 0; i < count; i++) {
                Map<String, Object> all = new HashMap<>(Map.of("sender", "s"));
                new DeadLetterReason(code, "why")
                        .headers(fixture.requests + "/" + i, "n", Instant.now())
                        .forEach((name, value) -> all.put(name, new String(value, UTF_8)));
                for (int h = 0; h < headers.length; h += 2) {
                    all.put(headers[h], headers[h + 1]);
                }
                BasicProperties properties = new BasicProperties.Builder()
                        .correlationId("key-" + i)
                        .deliveryMode(2)
                        .headers(all)
                        .build();
                byte[] body = ("{\"id\":\"" + i + "\",\"url\":\"" + url + "\"}").getBytes(UTF_8);
                channel.basicPublish("", fixture.deadLetters, properties, body);
            }
            channel.waitForConfirmsOrDie(60_000);
        }
    }
}
