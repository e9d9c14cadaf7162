package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** A door that puts calls on a queue, and two nodes that make them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DoorQueueContract {

    /** The deadline of calls: long enough for a node or a broker that has just started. */
    static final Duration LONG = Duration.ofMinutes(3);

    static final String DOOR = "door: {port: 0, deadline: " + LONG.toSeconds() + "s}";

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private DoorProcess door;

    /** Returns the configuration of the door, whose queue two nodes read. */
    abstract Path configuration();

    abstract TargetServer target();

    @BeforeAll
    void start() throws IOException {
        door = DoorProcess.start(new SettingsLoader<>(NodeSettings.class, Map.of()).load(configuration()));
    }

    @AfterAll
    void stop() {
        if (door != null) {
            door.close();
        }
    }

    @Test
    void aNodeMakesTheCallAndTheDoorReturnsItsAnswer() throws Exception {
        HttpResponse<String> response =
                post("/v1/calls", "application/json", "{\"id\": \"q-1\", \"url\": \"" + target().url("/ok") + "\"}");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        JsonNode answer = DoorFixture.json(response);
        assertThat(answer.path("id").asString("")).isEqualTo("q-1");
        assertThat(answer.path("node").asString("")).startsWith("node-");
        assertThat(answer.path("status").asInt()).isEqualTo(200);
    }

    @Test
    void aForbiddenCallIsRejectedByTheDoorItself() throws Exception {
        HttpResponse<String> response = post("/v1/calls", "application/json", "{\"url\": \"http://169.254.169.254/\"}");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(403);
        assertThat(DoorFixture.code(response)).isEqualTo("address-not-allowed");
        assertThat(response.headers().firstValue("IOCluster-Outcome")).contains("rejected");
        assertThat(response.headers().firstValue("IOCluster-Sent")).contains("no");
    }

    /** The door does not check credentials, so a node finds the mistake. */
    @Test
    void aCallThatANodeRejectsIsAProblemToo() throws Exception {
        HttpResponse<String> response =
                post("/v1/calls", "application/json", "{\"url\": \"" + target().url("/ok") + "\", \"auth\": \"none\"}");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        assertThat(DoorFixture.code(response)).isEqualTo("unknown-credential");
    }

    @Test
    void anAsynchronousCallGoesThroughTheQueue() throws Exception {
        HttpResponse<String> accepted =
                post(door, "{\"id\": \"async-1\", \"url\": \"" + target().url("/ok") + "\"}", "respond-async");
        HttpResponse<String> answer = awaitAnswer(door, "async-1");

        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(202);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(DoorFixture.json(answer).path("status").asInt()).isEqualTo(200);
    }

    @Test
    void anOrdinaryRequestGoesThroughTheQueue() throws Exception {
        String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        HttpRequest request = HttpRequest.newBuilder(uri("/v1/forward/" + target().url("/echo")))
                .header("traceparent", trace)
                .timeout(LONG)
                .POST(BodyPublishers.ofString("text"))
                .build();

        HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());

        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(response.body()).contains("/echo", "text", trace);
    }

    @Test
    void aBatchIsAnsweredCompletely() throws Exception {
        String lines = IntStream.range(0, 300)
                .mapToObj(i -> "{\"id\": \"b-" + i + "\", \"url\": \"" + target().url("/ok") + "\"}")
                .collect(Collectors.joining("\n"));

        HttpResponse<String> response = post("/v1/calls:batch", "application/x-ndjson", lines);

        assertThat(response.body()
                        .lines()
                        .map(DoorFixture::json)
                        .filter(line -> line.path("status").asInt() == 200)
                        .map(line -> line.path("id").asString("")))
                .hasSize(300)
                .doesNotHaveDuplicates();
    }

    private HttpResponse<String> post(String path, String type, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .header("Content-Type", type)
                .timeout(LONG)
                .POST(BodyPublishers.ofString(body))
                .build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }

    /** Posts an envelope to a door, with this value of {@code Prefer}. */
    static HttpResponse<String> post(DoorProcess door, String envelope, String prefer) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(door, "/v1/calls"))
                .header("Content-Type", "application/json")
                .header("Prefer", prefer)
                .POST(BodyPublishers.ofString(envelope))
                .build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }

    /** Waits for the answer to an accepted call. */
    static HttpResponse<String> awaitAnswer(DoorProcess door, String id) {
        HttpRequest wait = HttpRequest.newBuilder(uri(door, "/v1/calls/" + id))
                .header("Prefer", "wait=30")
                .build();
        return await().atMost(LONG)
                .until(() -> CLIENT.send(wait, BodyHandlers.ofString()), each -> each.statusCode() != 202);
    }

    private URI uri(String path) {
        return uri(door, path);
    }

    private static URI uri(DoorProcess door, String path) {
        return URI.create("http://127.0.0.1:" + door.address().getPort() + path);
    }
}
