package io.iocluster.node.producer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.node.ColdNode;
import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.RunningNode;
import io.iocluster.node.cli.CommandRun;
import io.iocluster.testkit.target.TargetServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests on Kafka that calls over the quota of an app wait, fail if too many wait, and disturb no other app. */
class AppQuotaIT {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int IN_FLIGHT = 2;
    private static final int WAITING = 10;
    private static final int FLOOD = 40;
    private static final int ORDERS = 20;
    private static final String[] QUOTA = {
        "apps: [{name: greedy, max-in-flight: " + IN_FLIGHT + ", max-waiting: " + WAITING + "}]",
        // Otherwise http.max-timeout would end a held call after 30 s.
        ColdNode.LONG_TIMEOUTS
    };

    /** Floods the node with calls of one app, which the target holds, then makes calls of another app. */
    @Test
    void anAppOverItsQuotaDisturbsNoOtherApp() throws Exception {
        try (KafkaNodeFixture fixture = new KafkaNodeFixture(1, Map.of());
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", fixture.broker.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            RunningNode node = fixture.startInProcess("node-1", "none", QUOTA).awaitReady();
            TargetServer target = fixture.target;
            for (int i = 0; i < FLOOD; i++) {
                send(producer, envelope("flood-" + i, target.url("/held")), "greedy");
            }
            for (int i = 0; i < ORDERS; i++) {
                send(producer, envelope("order-" + i, target.url("/ok")), "orders");
            }

            await().atMost(LONG).until(() -> answers(fixture).size() == ORDERS + FLOOD - IN_FLIGHT - WAITING);

            assertThat(outcomes(fixture, "order-")).containsOnly(Map.entry("200", (long) ORDERS));
            assertThat(outcomes(fixture, "flood-"))
                    .containsOnly(Map.entry("app-over-quota", (long) FLOOD - IN_FLIGHT - WAITING));
            JsonNode greedy = JsonMapper.shared()
                    .readTree(node.get("/api/apps").body())
                    .path("apps")
                    .valueStream()
                    .filter(app -> app.get("name").asString().equals("greedy"))
                    .findFirst()
                    .orElseThrow();
            assertThat(greedy.get("inFlight").asInt()).isEqualTo(IN_FLIGHT);
            assertThat(greedy.get("waiting").asInt()).isEqualTo(WAITING);
            // The headline is checked periodically.
            await().atMost(LONG).until(() -> node.get("/api/status").body().contains("App greedy"));
            assertCommandsNameTheApp(node, fixture.configure("explained", "none", QUOTA), target);

            target.releaseHeld();
            await().atMost(LONG).until(() -> answers(fixture).size() == ORDERS + FLOOD);

            assertThat(outcomes(fixture, "flood-")).containsEntry("200", (long) IN_FLIGHT + WAITING);
        }
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, String envelope, String app) throws Exception {
        ProducerRecord<byte[], byte[]> request =
                new ProducerRecord<>(KafkaNodeFixture.REQUESTS, envelope.getBytes(UTF_8));
        request.headers().add("app", app.getBytes(UTF_8));
        producer.send(request).get(1, TimeUnit.MINUTES);
    }

    /** Checks what the commands print while the app is over its quota. */
    private static void assertCommandsNameTheApp(RunningNode node, Path config, TargetServer target) {
        String admin = node.adminUrl();
        assertThat(run("", "apps", "--admin", admin)).containsPattern("greedy +.* 2 +2 +10 ");
        assertThat(run("", "top", "--once", "--interval", "500ms", "--admin", admin))
                .containsPattern("(?m)^node-1 +running ")
                .containsPattern("(?m)^127\\.0\\.0\\.1:" + target.port() + " +2 ")
                .containsPattern("(?m)^greedy +.* 2 +10 ")
                .containsPattern("(?m)^app-over-quota ");
        assertThat(run(envelope("1", target.url("/ok")), "explain", "--config", config.toString()))
                .contains("result:      would be made");
    }

    private static String run(String input, String... command) {
        CommandRun run = CommandRun.of(input, Map.of(), command);
        assertThat(run.code()).as(run.out() + run.err()).isZero();
        return run.out();
    }

    private static String envelope(String id, String url) {
        return "{\"id\": \"" + id + "\", \"url\": \"" + url + "\", \"timeoutMs\": 180000, \"deadlineMs\": 240000}";
    }

    private static List<Answer> answers(KafkaNodeFixture fixture) {
        return fixture.broker.readAll(KafkaNodeFixture.ANSWERS).stream()
                .map(each -> new AnswerDecoder().decode(each.value()))
                .toList();
    }

    /** Returns the number of answers by status or error code, for the calls whose ids have this prefix. */
    private static Map<String, Long> outcomes(KafkaNodeFixture fixture, String prefix) {
        return answers(fixture).stream()
                .filter(answer -> answer.id().startsWith(prefix))
                .collect(Collectors.groupingBy(
                        answer -> answer.error() == null
                                ? Integer.toString(answer.status())
                                : answer.error().code(),
                        Collectors.counting()));
    }
}
