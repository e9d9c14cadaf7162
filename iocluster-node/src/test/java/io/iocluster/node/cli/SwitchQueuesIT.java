package io.iocluster.node.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.iocluster.node.ColdNode;
import io.iocluster.node.InProcessNode;
import io.iocluster.node.RunningNode;
import io.iocluster.testkit.junit.SharedBrokers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Runs the files of {@code examples/switch-queues} with the addresses of this test. */
class SwitchQueuesIT {

    private static final Path EXAMPLE =
            Path.of(System.getProperty("basedir", ".")).resolve("../examples/switch-queues");
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    Path folder;

    private HttpServer target;

    @BeforeEach
    void startTarget() throws IOException {
        target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        target.createContext("/", SwitchQueuesIT::answer);
        target.start();
    }

    @AfterEach
    void stopTarget() {
        target.stop(0);
    }

    @Test
    void returnsTheSameAnswersOverBothBrokers() throws Exception {
        Map<String, JsonNode> overKafka =
                run("kafka.yaml", "127.0.0.1:9092", SharedBrokers.emptyKafka().bootstrapServers());
        Map<String, JsonNode> overRabbit = run(
                "rabbit.yaml",
                "amqp://guest:guest@127.0.0.1:5672/",
                SharedBrokers.emptyRabbit().uri());

        assertThat(overRabbit).isEqualTo(overKafka);
        assertThat(overKafka).containsOnlyKeys("page", "missing", "posted", "forbidden");
        assertThat(overKafka.get("page").path("status").asInt(0)).isEqualTo(200);
        assertThat(overKafka.get("missing").path("status").asInt(0)).isEqualTo(404);
        assertThat(overKafka.get("missing").path("context").path("order").asInt(0))
                .isEqualTo(42);
        assertThat(overKafka.get("posted").path("body").asString("")).isEqualTo("POST / hello");
        assertThat(overKafka.get("forbidden").path("outcome").asString("")).isEqualTo("rejected");
    }

    @Test
    void onlyTheTransportDiffers() throws IOException {
        List<String> kafka = Files.readAllLines(EXAMPLE.resolve("kafka.yaml"));
        List<String> rabbit = Files.readAllLines(EXAMPLE.resolve("rabbit.yaml"));

        assertThat(kafka.subList(0, kafka.indexOf("transport: kafka")))
                .isNotEmpty()
                .isEqualTo(rabbit.subList(0, rabbit.indexOf("transport: rabbit")));
    }

    /** Returns the answers by id, without times and node. */
    private Map<String, JsonNode> run(String file, String address, String broker) throws Exception {
        Path config = adapted(file, Map.of(address, broker, "[8000]", "[" + port() + "]"));
        Path envelopes = adapted("envelopes.ndjson", Map.of(":8000/", ":" + port() + "/"));
        try (RunningNode node = InProcessNode.start(ColdNode.LONG_TIMEOUT_VARIABLES, config)) {
            node.awaitReady();
            CommandRun send = CommandRun.of(
                    "",
                    ColdNode.LONG_TIMEOUT_VARIABLES,
                    "send",
                    "--config",
                    config.toString(),
                    "--wait",
                    envelopes.toString());
            assertThat(send.err()).isEqualTo("sent 4, not sent 0, without an answer 0\n");
            Map<String, JsonNode> answers = new TreeMap<>();
            send.out()
                    .lines()
                    .map(SwitchQueuesIT::lasting)
                    .forEach(answer -> answers.put(answer.path("id").asString(""), answer));
            return answers;
        }
    }

    private static ObjectNode lasting(String answer) {
        return ((ObjectNode) JSON.readTree(answer)).remove(List.of("timing", "headers"));
    }

    private Path adapted(String file, Map<String, String> replacements) throws IOException {
        String text = Files.readString(EXAMPLE.resolve(file));
        for (Map.Entry<String, String> each : replacements.entrySet()) {
            assertThat(text).contains(each.getKey());
            text = text.replace(each.getKey(), each.getValue());
        }
        return Files.writeString(folder.resolve(file), text);
    }

    private int port() {
        return target.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        byte[] answer = (exchange.getRequestMethod() + " " + path + " " + body).getBytes(UTF_8);
        exchange.sendResponseHeaders(path.equals("/") ? 200 : 404, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }
}
