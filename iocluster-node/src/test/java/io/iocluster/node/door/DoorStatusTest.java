package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tests what operators see of a door. */
class DoorStatusTest {

    private static final String STATUS = "/v1/status";

    private DoorFixture door;

    @AfterEach
    void stop() {
        if (door != null) {
            door.close();
        }
    }

    private void start(String keys) {
        door = new DoorFixture(keys);
    }

    @Test
    void showsTheDoorItsLimitsAndItsApps() {
        start("limits: {max-in-flight: 7}, apps: [{name: shop, max-in-flight: 3, rate: 500/s}]");

        JsonNode status = DoorFixture.json(door.get(STATUS));

        assertThat(status.path("door").asString("")).isEqualTo("door-1");
        assertThat(status.path("transport").asString("")).isEqualTo("local");
        assertThat(status.path("state").asString("")).isEqualTo("ready");
        assertThat(status.path("problem").isNull()).isTrue();
        assertThat(status.at("/inFlight/limit").asInt()).isEqualTo(7);
        assertThat(app("shop").path("configured").asBoolean()).isTrue();
        assertThat(app("shop").path("inFlightLimit").asInt()).isEqualTo(3);
        assertThat(app("shop").path("rateLimit").asString("")).isEqualTo("500/s");
        assertThat(app("unknown").path("inFlightLimit").isNull()).isTrue();
    }

    @Test
    void showsTheOpenCallsAndKeptAnswersOfAnApp() {
        start("");
        door.post(door.envelope("/ok"), "IOCluster-App", "shop", "Prefer", "respond-async");
        door.post(door.envelope("/held"), "IOCluster-App", "shop", "Prefer", "respond-async");

        await().until(() -> app("shop").path("keptAnswers").asInt() == 1);

        assertThat(app("shop").path("inFlight").asInt()).isEqualTo(1);
        assertThat(app("shop").path("calls").asInt()).isEqualTo(2);
        assertThat(app("shop").path("keptBytes").asInt()).isPositive();
        assertThat(metrics()).contains("iocluster_door_kept_answers 1.0", "iocluster_door_kept_answers_limit 10000.0");
        await().untilAsserted(() -> assertThat(metrics())
                .contains(
                        "iocluster_door_app_calls_total{app=\"shop\"} 2.0",
                        "iocluster_door_app_in_flight{app=\"shop\"} 1.0",
                        "iocluster_door_app_kept_answers{app=\"shop\"} 1.0"));
    }

    @Test
    void showsWhichAppIsRefusedAndWhy() {
        start("apps: [{name: shop, max-in-flight: 1}]");
        door.post(door.envelope("/held"), "IOCluster-App", "shop", "Prefer", "respond-async");

        door.post(door.envelope("/ok"), "IOCluster-App", "shop");
        door.call("POST", "/v1/calls:batch", "application/x-ndjson", "{}\n", "IOCluster-App", "shop");
        door.call("POST", DoorFixture.CALLS, "text/plain", "x", "IOCluster-App", "billing");
        door.get("/no-such-path");

        await().untilAsserted(() -> {
            assertThat(problems("shop")).isEqualTo(Map.of("app-over-quota", 1, "invalid-url", 1));
            assertThat(problems("billing")).isEqualTo(Map.of("unsupported-media-type", 1));
            assertThat(problems("unknown")).isEqualTo(Map.of("not-found", 1));
        });
        await().untilAsserted(() -> assertThat(metrics())
                .contains(
                        "iocluster_door_problems_total{code=\"app-over-quota\"} 1.0",
                        "iocluster_door_app_problems_total{app=\"shop\"} 2.0"));
    }

    @Test
    void thePageOfTheDoorListsExactlyItsOwnMetrics() throws IOException {
        start("");
        door.get("/no-such-path");
        Path page = Path.of(System.getProperty("basedir", ".")).resolve("../docs/door.md");

        Set<String> documented = found("(iocluster_door_\\w+)", Files.readString(page));
        // DoorSpoolTest checks those of a spool.
        documented.removeIf(metric -> metric.startsWith("iocluster_door_spool"));

        await().untilAsserted(() ->
                assertThat(found("# TYPE (iocluster_door_\\w+)", metrics())).isEqualTo(documented));
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void aCallWithoutAnAnswerOfItsTargetIsNoProblemOfTheDoor() {
        start("");
        String unreachable = "http://127.0.0.1:1/";

        assertThat(door.get("/v1/forward/" + unreachable).statusCode()).isEqualTo(502);
        door.post("{\"url\": \"" + unreachable + "\"}");

        await().until(() -> app("unknown").path("calls").asInt() == 2);
        assertThat(problems("unknown")).isEmpty();
    }

    @Test
    void aCallerWithoutATokenIsCountedAsUnknown() {
        start("apps: [{name: shop, token: s3cr3t}]");

        HttpResponse<String> refused = door.get(STATUS);

        assertThat(refused.statusCode()).isEqualTo(401);
        await().untilAsserted(() -> assertThat(problems("unknown", "Authorization", "Bearer s3cr3t"))
                .containsKey("unauthorized"));
    }

    @ParameterizedTest
    @CsvSource({"same-origin, 200", "none, 200", "same-site, 403", "cross-site, 403"})
    void onlyThePageOfTheDoorMayReadTheStatusInABrowser(String site, int status) {
        start("");

        assertThat(door.get(STATUS, "Sec-Fetch-Site", site).statusCode()).isEqualTo(status);
    }

    @Test
    void noOtherRouteIsOpenToThePageOfTheDoor() {
        start("");

        assertThat(door.post(door.envelope("/ok"), "Sec-Fetch-Site", "same-origin")
                        .statusCode())
                .isEqualTo(403);
        assertThat(door.get(STATUS, "Sec-Fetch-Site", "same-origin", "Origin", "http://127.0.0.1")
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void theStatusIsForLoopbackNamesOnlyIfNoTokenIsNeeded() {
        start("");

        assertThat(door.raw("GET /v1/status HTTP/1.1\r\nHost: rebound.example\r\n\r\n"))
                .startsWith("HTTP/1.1 403 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/console", "/console/door.js", "/console/console.css", "/console/icon.svg"})
    void servesTheConsoleWithoutATokenAndWithItsPolicy(String path) {
        start("apps: [{name: shop, token: s3cr3t}]");

        HttpResponse<String> file = door.get(path);

        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(file.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(door.get(
                                path,
                                "If-None-Match",
                                file.headers().firstValue("ETag").orElseThrow())
                        .statusCode())
                .isEqualTo(304);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/nothing.js",
                "/console/index.html",
                "/console/..%2fadmin/openapi.json",
                "/console/a/b.js"
            })
    void theConsoleHasNoOtherFiles(String path) {
        start("");

        assertThat(door.get(path).statusCode()).isIn(400, 404);
    }

    private String metrics() {
        return door.get("/metrics").body();
    }

    private JsonNode app(String name, String... headers) {
        return DoorFixture.json(door.get(STATUS, headers))
                .path("apps")
                .valueStream()
                .filter(app -> app.path("name").asString("").equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Returns how often the app got each code in the last ten minutes. */
    private Map<String, Integer> problems(String name, String... headers) {
        Map<String, Integer> problems = new TreeMap<>();
        List<JsonNode> all = app(name, headers).path("problems").valueStream().toList();
        all.forEach(each ->
                problems.put(each.path("code").asString(""), each.path("recent").asInt()));
        return problems;
    }
}
