package io.iocluster.node.door.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.door.spool.SpoolException;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.door.DoorProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A door with a spool whose broker is away. */
class DoorSpoolTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String ASYNC = "respond-async";

    @TempDir
    Path temporary;

    private DoorProcess start(String spool) throws IOException {
        String text = """
                node: {id: door-1}
                transport: kafka
                egress: {ports: [], allow-networks: [127.0.0.0/8]}
                kafka: {bootstrap-servers: "127.0.0.1:1", requests: {topics: [requests]}, answers: {topic: answers}}
                door: {port: 0, spool: {folder: %s%s}}
                """.formatted(temporary.resolve("spool"), spool);
        return DoorProcess.start(new SettingsLoader<>(NodeSettings.class, Map.of()).load(text, temporary));
    }

    private static JsonNode json(HttpResponse<String> response) {
        return JSON.readTree(response.body());
    }

    private static String code(HttpResponse<String> response) {
        return json(response).path("code").asString("");
    }

    private static HttpResponse<String> post(DoorProcess door, String envelope, String prefer) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(door, "/v1/calls"))
                .header("Content-Type", "application/json")
                .header("Prefer", prefer)
                .timeout(Duration.ofMinutes(1))
                .POST(BodyPublishers.ofString(envelope))
                .build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(DoorProcess door, String path, String prefer) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(door, path))
                .header("Prefer", prefer)
                .timeout(Duration.ofMinutes(1))
                .build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }

    private static URI uri(DoorProcess door, String path) {
        return URI.create("http://127.0.0.1:" + door.address().getPort() + path);
    }

    private static String envelope(String id) {
        return "{\"id\": \"" + id + "\", \"url\": \"http://127.0.0.1:9/\"}";
    }

    @Test
    void theDoorIsReadyAndStoresAsynchronousCallsOnly() throws Exception {
        try (DoorProcess door = start("")) {
            assertThat(get(door, "/readyz", "").statusCode()).isEqualTo(200);

            assertThat(post(door, envelope("a"), ASYNC).statusCode()).isEqualTo(202);
            assertThat(get(door, "/v1/calls/a", "").statusCode()).isEqualTo(202);
            assertThat(post(door, envelope("a"), ASYNC).statusCode()).isEqualTo(409);
            HttpResponse<String> waiting = post(door, envelope("b"), "");
            assertThat(waiting.statusCode()).isEqualTo(503);
            assertThat(code(waiting)).isEqualTo("unavailable");
            HttpResponse<String> forbidden =
                    post(door, "{\"id\": \"c\", \"url\": \"http://169.254.169.254/\"}", ASYNC + ", wait=20");
            assertThat(forbidden.statusCode()).isEqualTo(403);
            assertThat(code(forbidden)).isEqualTo("address-not-allowed");
            assertThat(get(door, "/v1/calls/c", "").statusCode()).isEqualTo(404);
            await().untilAsserted(() -> assertThat(get(door, "/metrics", "").body())
                    .contains(
                            "\niocluster_door_spooled_calls 1.0\n",
                            "\niocluster_door_spool_calls_total{result=\"stored\"} 1.0\n",
                            "\niocluster_door_spool_calls_total{result=\"forwarded\"} 0.0\n"));
        }
    }

    @Test
    void aRestartedDoorStillKnowsItsCallsAndEndsThemAtTheirDeadlines() throws Exception {
        try (DoorProcess door = start("")) {
            assertThat(post(door, envelope("long"), ASYNC).statusCode()).isEqualTo(202);
            assertThat(post(door, "{\"id\": \"short\", \"url\": \"http://127.0.0.1:9/\", \"deadlineMs\": 8000}", ASYNC)
                            .statusCode())
                    .isEqualTo(202);
        }
        try (DoorProcess door = start(", max-calls: 1")) {
            HttpResponse<String> full = post(door, envelope("new"), ASYNC);
            assertThat(full.statusCode()).isEqualTo(429);
            assertThat(code(full)).isEqualTo("spool-full");
            assertThat(full.headers().firstValue("retry-after")).contains("1");
            assertThat(get(door, "/v1/calls/new", "").statusCode()).isEqualTo(404);

            HttpResponse<String> expired = get(door, "/v1/calls/short", "wait=20");
            assertThat(expired.statusCode()).isEqualTo(504);
            assertThat(code(expired)).isEqualTo("deadline-exceeded");
            assertThat(get(door, "/v1/calls/long", "").statusCode()).isEqualTo(202);
            await().untilAsserted(() -> assertThat(get(door, "/metrics", "").body())
                    .contains("\niocluster_door_problems_total{code=\"deadline-exceeded\"} 1.0\n"));
        }
    }

    @Test
    void theStatusShowsHowMuchOfTheSpoolIsUsed() throws Exception {
        try (DoorProcess door = start("")) {
            assertThat(post(door, envelope("a"), ASYNC).statusCode()).isEqualTo(202);

            await().untilAsserted(() -> {
                JsonNode spool = json(get(door, "/v1/status", "")).path("spool");
                assertThat(spool.path("calls").path("used").asInt()).isEqualTo(1);
                assertThat(spool.path("calls").path("limit").asInt()).isEqualTo(50_000);
                assertThat(spool.path("bytes").path("used").asInt()).isPositive();
                assertThat(spool.path("bytes").path("limit").asInt()).isEqualTo(256 << 20);
                assertThat(spool.path("oldestSeconds").asDouble()).isPositive();
            });
        }
    }

    @Test
    void aDoorWithASpoolExportsExactlyItsDocumentedMetricsAndAllOfTheAlerts() throws Exception {
        try (DoorProcess door = start("")) {
            assertThat(get(door, "/v1/calls/unknown", "").statusCode()).isEqualTo(404);

            String scraped = get(door, "/metrics", "").body();
            // DoorStatusTest and DoorMonitoringIT check the other metrics.
            Set<String> exported = names(
                    Pattern.compile("(?m)^(iocluster_door_spool\\w+?)(?:_bucket|_count|_sum|_max)?[ {]"), scraped);
            assertThat(exported)
                    .containsExactlyInAnyOrderElementsOf(
                            names(Pattern.compile("(?m)^\\| `(iocluster_door_spool\\w+)`"), read("docs/door.md")))
                    .containsAll(names(
                            Pattern.compile("(iocluster_door_spool\\w+)"),
                            read("docker/prometheus/iocluster.rules.yaml")));
        }
    }

    private static String read(String file) throws IOException {
        return Files.readString(
                Path.of(System.getProperty("basedir", ".")).resolve("..").resolve(file));
    }

    private static Set<String> names(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).collect(Collectors.toSet());
    }

    @Test
    void aFolderThatCannotBeUsedIsAClearError() throws Exception {
        Files.writeString(temporary.resolve("spool"), "a file");

        assertThatThrownBy(() -> start("").close())
                .isInstanceOf(SpoolException.class)
                .hasMessageStartingWith("door.spool.folder: cannot use " + temporary.resolve("spool"));
    }
}
