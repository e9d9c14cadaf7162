package io.iocluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.SettingsLoader;
import io.iocluster.rabbit.RabbitRequests;
import io.iocluster.rabbit.RabbitSettings;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The promise under faults on RabbitMQ, with a ledger on both ends: nothing is lost, and what is repeated is bounded. */
class RabbitFaultIT {

    /** What the broker hands out ahead of its acknowledgement: twice the default of {@code workers.max-in-flight}. */
    private static final int PREFETCH = 600;

    private static final Duration LONG = Duration.ofMinutes(2);

    private final HttpClient client = HttpClient.newHttpClient();
    private RabbitNodes nodes;
    private RabbitSettings settings;

    @BeforeEach
    void setTheStage() {
        nodes = new RabbitNodes();
        settings = new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(nodes.configure("client"))
                .settings()
                .rabbit();
    }

    @AfterEach
    void clear() {
        nodes.close();
    }

    @Test
    void losesNothingWhenANodeIsKilledAndRepeatsAtMostWhatItHeld() throws Exception {
        int sent = 20_000;
        NodeProcess killed = ready(nodes.start("node-1"));
        try (RabbitAnswerLedger answers = new RabbitAnswerLedger(settings)) {
            send(0, sent);
            answers.awaitIds(5_000, killed);

            killed.kill();
            NodeProcess next = nodes.start("node-1");
            answers.awaitIds(sent, next);

            awaitEmpty();
            assertThat(answers.notAnswered()).isZero();
            assertThat(nodes.target.ledger().counts()).hasSize(sent);
            assertThat(answers.duplicates()).isBetween(0, PREFETCH);
        }
    }

    @Test
    void repeatsNothingWhenANodeIsTerminated() throws Exception {
        int sent = 20_000;
        NodeProcess first = ready(nodes.start("node-1"));
        try (RabbitAnswerLedger answers = new RabbitAnswerLedger(settings)) {
            send(0, sent);
            answers.awaitIds(2_000, first);

            int exitCode = first.terminate(Duration.ofSeconds(30));
            NodeProcess next = nodes.start("node-2");
            answers.awaitIds(sent, next);

            awaitEmpty();
            assertThat(exitCode).as(first.log()).isZero();
            assertThat(answers.duplicates()).isZero();
            assertThat(nodes.target.ledger().requests()).isEqualTo(sent);
        }
    }

    @Test
    void losesNothingAndNeedsNoRestartWhenTheBrokerIsKilled() throws Exception {
        int before = 10_000;
        int after = 12_000;
        NodeProcess node = ready(nodes.start("node-1"));
        try (RabbitAnswerLedger answers = new RabbitAnswerLedger(settings)) {
            send(0, before);
            answers.awaitIds(2_000, node);

            nodes.broker.kill();
            await().atMost(LONG).until(() -> get(node, "/readyz").statusCode() == 503);
            nodes.broker.start();
            send(before, after);
            answers.awaitIds(after, node);

            awaitEmpty();
            assertThat(answers.notAnswered()).isZero();
            // What the node held, what it had answered without a confirmation, and what the ledger had not
            // acknowledged.
            assertThat(node.isAlive()).isTrue();
        }
    }

    @Test
    void waitsQuietlyForABrokerThatIsNotThereAndRecoversByItself() throws Exception {
        nodes.broker.stop();
        NodeProcess node = nodes.start("node-1");

        await().atMost(Duration.ofSeconds(40))
                .during(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> node.isAlive()
                        && get(node, "/livez").statusCode() == 200
                        && get(node, "/readyz").statusCode() == 503);
        assertThat(get(node, "/readyz").body()).contains("rabbit is not connected: RabbitMQ cannot be used");

        nodes.broker.start();
        ready(node);
        try (RabbitAnswerLedger answers = new RabbitAnswerLedger(settings)) {
            send(0, 1);
            answers.awaitIds(1, node);
        }
        assertThat(node.logLines()).filteredOn(line -> !line.contains(" INFO ")).hasSize(1);
        assertThat(node.logLines()).anyMatch(line -> line.contains("Works again"));
        assertThat(node.logLines()).noneMatch(line -> line.contains("guest:guest"));
    }

    private NodeProcess ready(NodeProcess node) {
        await().atMost(LONG)
                .failFast("the node ended", () -> !node.isAlive())
                .until(() -> get(node, "/readyz").statusCode() == 200);
        return node;
    }

    private void send(int from, int to) {
        try (RabbitRequests requests = new RabbitRequests(settings, "sender")) {
            List<CompletionStage<PublishResult>> sent = new ArrayList<>();
            for (int i = from; i < to; i++) {
                String envelope = "{\"id\":\"" + i + "\",\"url\":\"" + nodes.target.url("/ok?id=" + i) + "\"}";
                sent.add(requests.send(envelope.getBytes(StandardCharsets.UTF_8), null, Map.of()));
            }
            assertThat(sent)
                    .allMatch(each -> each.toCompletableFuture()
                                    .orTimeout(60, TimeUnit.SECONDS)
                                    .join()
                            == PublishResult.CONFIRMED);
        }
    }

    private void awaitEmpty() {
        await().atMost(LONG)
                .until(() -> nodes.broker
                        .control("-q", "list_queues", "name", "messages")
                        .lines()
                        .anyMatch(line -> line.equals(RabbitNodes.REQUESTS + "\t0")));
    }

    private HttpResponse<String> get(NodeProcess node, String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(node.adminUrl() + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
