package io.iocluster.node.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import io.iocluster.node.AdminFixture;
import io.iocluster.node.CompactJson;
import io.iocluster.node.consul.ConsulStatus;
import io.iocluster.status.json.StatusMapper;
import io.iocluster.upstream.ConsulUpstreamSettings;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares the OpenAPI document with the behaviour of a real node. The tests that leave the node as it was share one, because a node
 * takes half a second to start.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiDocumentTest {

    private static final Path PAGE = Path.of(System.getProperty("basedir", ".")).resolve("../docs/openapi.json");
    private static final JsonNode DOCUMENT =
            AdminResponse.JSON.readTree(OpenApiDocument.response().body());
    private static final String TOKEN = "Bearer s3cr3t";
    private static final String JSON = "application/json";

    private final SchemaRegistry schemas = SchemaRegistry.withDialect(Dialects.getDraft202012());
    private AdminFixture shared;

    @BeforeAll
    void startSharedNode() {
        shared = working("destinations: [{match: [partner]}]");
    }

    @AfterAll
    void stopSharedNode() {
        shared.close();
    }

    @Test
    void documentsExactlyTheRoutes() {
        try (AdminFixture fixture = new AdminFixture("admin: {port: 0}")) {
            String paths = AdminFixture.json(fixture.get("/no-such-path"))
                    .get("error")
                    .asString()
                    .split("; available paths: ", 2)[1];
            Map<String, Set<String>> real = new TreeMap<>();
            for (String path : paths.split(" ", -1)) {
                String allowed = fixture.call("DELETE", path, "")
                        .headers()
                        .firstValue("Allow")
                        .orElseThrow();
                Set<String> kept = new TreeSet<>(List.of(allowed.split(", ", -1)));
                // The document states once that each GET path also supports HEAD.
                assertThat(kept.contains("HEAD")).isEqualTo(kept.contains("GET"));
                kept.remove("HEAD");
                real.put(path, kept);
            }
            real.put("/console/{file}", Set.of("GET"));

            assertThat(described()).isEqualTo(real);
        }
    }

    private static Map<String, Set<String>> described() {
        Map<String, Set<String>> paths = new TreeMap<>();
        DOCUMENT.get("paths").forEachEntry((path, operations) -> {
            Set<String> methods = new TreeSet<>();
            operations.propertyNames().forEach(method -> methods.add(method.toUpperCase(Locale.ROOT)));
            paths.put(path, methods);
        });
        return paths;
    }

    @Test
    void documentsWhichPathsRequireTheToken() {
        try (AdminFixture fixture = new AdminFixture("admin: {port: 0, token: s3cr3t}")) {
            described()
                    .forEach((path, methods) -> methods.forEach(method -> {
                        boolean described = operation(method, path).has("security");
                        assertThat(described)
                                .as(method + " " + path)
                                .isEqualTo(fixture.call(method, path.replace("{file}", "console.js"), "")
                                                .statusCode()
                                        == 401);
                    }));
        }
    }

    @Test
    void everyReferenceResolves() {
        DOCUMENT.findValuesAsString("$ref")
                .forEach(reference -> assertThat(
                                DOCUMENT.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
    }

    @Test
    void theCopyInTheDocsEqualsTheOneThatIsServed() throws IOException {
        String served = CompactJson.of(DOCUMENT);
        if (Boolean.getBoolean("update-docs")) {
            Files.writeString(PAGE, served);
        }

        assertThat(PAGE).hasContent(served);
    }

    /** The node has an open, a failed and an answered call. */
    @ParameterizedTest
    @CsvSource({
        "GET, /, 200",
        "GET, /livez, 200",
        "GET, /readyz, 200",
        "GET, /metrics, 200",
        "GET, /api/openapi.json, 200",
        "GET, /api/status, 200",
        "GET, /api/stats, 200",
        "GET, /api/destinations, 200",
        "GET, /api/attempts, 200",
        "GET, /api/history, 200",
        "GET, /api/apps, 200",
        "GET, /api/caches, 200",
        "GET, /api/upstreams, 200",
        "GET, /api/failures, 200",
        "GET, /api/config, 200",
        "GET, /api/threads, 200",
        "GET, /api/tuning, 200",
        "GET, /api/cluster, 200",
    })
    void answersAsDescribed(String method, String path, int status) {
        check(method, path, status, shared.call(method, path, "", "Authorization", TOKEN));
    }

    @ParameterizedTest
    @CsvSource({"POST, /api/pause, 200", "POST, /api/resume, 200", "POST, /api/drain, 200"})
    void changesTheNodeAsDescribed(String method, String path, int status) {
        try (AdminFixture fixture = working("")) {
            check(method, path, status, fixture.call(method, path, "", "Authorization", TOKEN));
        }
    }

    @Test
    void rejectsAnInvalidTimeAsDescribed() {
        check("GET", "/api/history", 200, shared.get("/api/history?since=0"));
        check("GET", "/api/history", 400, shared.get("/api/history?since=yesterday"));
        check("GET", "/api/history", 200, shared.get("/api/history?destination=127.0.0.1:1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/destinations", "/api/apps"})
    void listsAreLimitedAsDescribed(String path) {
        check("GET", path, 200, shared.get(path + "?limit=1&find=a&include=other"));
        check("GET", path, 400, shared.get(path + "?limit=0"));
        check("GET", path, 400, shared.get(path + "?limit=1001"));
    }

    @ParameterizedTest
    @CsvSource({"POST, /api/pause, ''", "POST, /api/resume, ''", "PATCH, /api/workers, {\"threads\": 2}"})
    void aDrainedNodeRejectsFurtherCommands(String method, String path, String body) {
        try (AdminFixture fixture = working("")) {
            fixture.call("POST", "/api/drain", "", "Authorization", TOKEN);
            await().untilAsserted(() -> assertThat(fixture.call("GET", "/api/status", "", "Authorization", TOKEN)
                            .body())
                    .containsPattern("\"state\"\\s*:\\s*\"(draining|stopped)\""));

            HttpResponse<String> refused =
                    fixture.call(method, path, body, "Authorization", TOKEN, "Content-Type", "application/json");

            check(method, path, 409, refused);
            assertThat(refused.body()).contains("cannot continue; restart its process");
        }
    }

    @Test
    void tapsAsDescribed() {
        try (AdminFixture fixture = working("")) {
            HttpResponse<String> refused = fixture.get("/api/tap?rate=fast", "Authorization", TOKEN);
            CompletableFuture<HttpResponse<String>> tap =
                    CompletableFuture.supplyAsync(() -> fixture.get("/api/tap?duration=2s", "Authorization", TOKEN));
            while (!tap.isDone()) {
                fixture.fail("failed");
            }

            check("GET", "/api/tap", 400, refused);
            check("GET", "/api/tap", 200, tap.join());
            JsonNode schema = operation("GET", "/api/tap").at("/responses/200/content/application~1x-ndjson/schema");
            List<String> lines = tap.join().body().lines().toList();
            assertThat(lines).anyMatch(line -> line.contains("\"id\"")).anyMatch(line -> line.contains("\"counts\""));
            assertThat(lines)
                    .allSatisfy(line -> assertThat(violations(schema, AdminResponse.JSON.readTree(line)))
                            .as(line)
                            .isEmpty());
        }
    }

    @Test
    void everyPathIsTested() {
        List<String> asked = Stream.of("answersAsDescribed", "changesTheNodeAsDescribed")
                .flatMap(OpenApiDocumentTest::parameters)
                .toList();

        described()
                .forEach((path, methods) -> methods.forEach(method -> {
                    if (!Set.of("/api/workers", "/api/tap", "/api/events", "/console/{file}", "/api/log-levels")
                                    .contains(path)
                            && !path.startsWith("/api/destinations/")) {
                        assertThat(asked).anyMatch(each -> each.startsWith(method + ", " + path + ", "));
                    }
                }));
    }

    private static Stream<String> parameters(String test) {
        try {
            return Stream.of(OpenApiDocumentTest.class
                    .getDeclaredMethod(test, String.class, String.class, int.class)
                    .getAnnotation(CsvSource.class)
                    .value());
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"threads\": 2, \"max-in-flight\": 7}; application/json; 200",
                "{\"threads\": 1}; application/json; 200",
                "{\"threads\": 1025}; application/json; 400",
                "{}; application/json; 400",
                "{\"thread\": 1}; application/json; 400",
                "{\"threads\": 1}; text/plain; 415",
            })
    void resizesAsDescribed(String body, String type, int status) {
        check(
                "PATCH",
                "/api/workers",
                status,
                shared.call("PATCH", "/api/workers", body, "Content-Type", type, "Authorization", TOKEN));

        assertIsDescribed("PATCH", "/api/workers", body, status);
    }

    @ParameterizedTest
    @CsvSource({"GET, /api/failures", "GET, /api/threads", "GET, /api/config", "PATCH, /api/workers", "POST, /api/pause"
    })
    void rejectsAsDescribed(String method, String path) {
        check(method, path, 401, shared.call(method, path, ""));
        check(method, path, 403, shared.call(method, path, "", "Origin", "http://evil.example"));
        if (!method.equals("GET")) {
            check(method, path, 413, shared.call(method, path, " ".repeat(70_000)));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "pause; {\"destination\": \"other\", \"for\": \"5m\"}; 200",
                "pause; {\"destination\": \"other\", \"for\": 5}; 400",
                "pause; {\"for\": \"5m\"}; 400",
                "pause; {\"destination\": \"nowhere\"}; 404",
                "resume; {\"destination\": \"other\"}; 200",
                "resume; {\"destination\": \"nowhere\"}; 404",
                "limit; {\"destination\": \"other\", \"max-in-flight\": 3, \"rate\": \"5/s\"}; 200",
                "limit; {\"destination\": \"other\", \"max-in-flight\": 0}; 400",
                "limit; {\"destination\": \"nowhere\", \"rate\": \"5/s\"}; 404",
                "unlimit; {\"destination\": \"other\"}; 200",
                "reset-breaker; {\"destination\": \"other\"}; 409",
                "reset-breaker; {\"destination\": \"partner\"}; 200",
                "reset-breaker; {}; 400",
            })
    void actsOnADestinationAsDescribed(String action, String body, int status) {
        String path = "/api/destinations/" + action;
        check("POST", path, status, shared.call("POST", path, body, "Content-Type", JSON, "Authorization", TOKEN));

        check("GET", "/api/destinations", 200, shared.get("/api/destinations"));
        assertIsDescribed("POST", path, body, status);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"logger\": \"io.iocluster\", \"level\": \"info\", \"for\": \"5m\"}; 200",
                "{\"logger\": \"io.iocluster\", \"level\": \"default\"}; 200",
                "{\"logger\": \"no.such\", \"level\": \"info\"}; 404",
                "{\"logger\": \"io.iocluster\", \"level\": \"loud\"}; 400",
                "{\"logger\": \"io.iocluster\"}; 400",
            })
    void changesALogLevelAsDescribed(String body, int status) {
        String path = "/api/log-levels";
        check("POST", path, status, shared.call("POST", path, body, "Content-Type", JSON, "Authorization", TOKEN));

        check("GET", "/api/status", 200, shared.get("/api/status"));
        assertIsDescribed("POST", path, body, status);
    }

    /** Asserts that the document allows the body of a request, unless the node answers 400. */
    private void assertIsDescribed(String method, String path, String body, int status) {
        JsonNode described = operation(method, path).at("/requestBody/content/application~1json/schema");
        assertThat(violations(described, AdminResponse.JSON.readTree(body)).isEmpty())
                .isEqualTo(status != 400);
    }

    @Test
    void reportsAnUnavailableBrokerAsDescribed() {
        try (AdminFixture fixture = working("")) {
            fixture.broker.goOffline();

            check("GET", "/readyz", 503, fixture.get("/readyz"));
            check("GET", "/api/status", 200, fixture.get("/api/status"));
        }
    }

    @Test
    void describesTheConsulStatus() {
        JsonNode described = DOCUMENT.at("/components/schemas/Consul");
        ConsulStatus disconnected = new ConsulStatus(
                "http://127.0.0.1:8500",
                new ConsulStatus.KeyStatus("node", false, "connection refused", 0),
                new ConsulStatus.ServiceStatus("node-1", true, null),
                List.of(new ConsulStatus.UpstreamServiceStatus(
                        new ConsulUpstreamSettings("orders", "v2", ""), true, null, 3)));

        assertThat(violations(described, StatusMapper.object(disconnected))).isEmpty();
        assertThat(violations(described, StatusMapper.object(new ConsulStatus("http://h", null, null, List.of()))))
                .isEmpty();
    }

    private static AdminFixture working(String yaml) {
        AdminFixture fixture = new AdminFixture("admin: {port: 0, token: s3cr3t}\n" + yaml);
        fixture.broker.send("{\"url\": \"" + fixture.target.url("/ok") + "\"}");
        await().until(() -> !fixture.broker.answers().isEmpty());
        fixture.fail("failed");
        fixture.broker.send("{\"url\": \"nowhere\"}");
        fixture.broker.send("{\"url\": \"" + fixture.target.url("/never") + "\", \"deadlineMs\": 60000}");
        await().until(() -> fixture.node.status().inFlight() == 1);
        return fixture;
    }

    private static JsonNode operation(String method, String path) {
        return DOCUMENT.get("paths").get(path).get(method.toLowerCase(Locale.ROOT));
    }

    private void check(String method, String path, int status, HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        JsonNode response = operation(method, path).at("/responses/" + status);
        assertThat(response.isMissingNode()).as("a described %d", status).isFalse();
        JsonNode described = response.has("$ref")
                ? DOCUMENT.at(response.get("$ref").asString().substring(1))
                : response;
        String type = answer.headers().firstValue("Content-Type").orElseThrow().split(";", 2)[0];
        JsonNode content = described.get("content").get(type);
        assertThat(content).as("a described %s", type).isNotNull();
        if (type.equals(JSON)) {
            assertThat(violations(content.get("schema"), AdminFixture.json(answer)))
                    .as(answer.body())
                    .isEmpty();
        }
    }

    /** Returns the violations of the schema; its references resolve in the document. */
    private List<String> violations(JsonNode schema, JsonNode value) {
        ObjectNode whole = ((ObjectNode) schema).deepCopy();
        whole.set("components", DOCUMENT.get("components"));
        return schemas.getSchema(whole).validate(value).stream()
                .map(Error::toString)
                .toList();
    }
}
