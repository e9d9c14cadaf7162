package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import io.iocluster.node.CompactJson;
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
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Compares the OpenAPI document with the behaviour of a real door. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoorOpenApiTest {

    private static final Path PAGE = Path.of(System.getProperty("basedir", ".")).resolve("../docs/door-openapi.json");
    private static final Pattern STATUSES =
            Pattern.compile("^\\| (\\d{3}(?:, \\d{3})*) \\| [^|]+ \\| [^|]+ \\|$", Pattern.MULTILINE);
    private static final Set<String> FORWARDED = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final SchemaRegistry schemas = SchemaRegistry.withDialect(Dialects.getDraft202012());
    private DoorFixture door;
    private JsonNode document;

    @BeforeAll
    void start() {
        door = new DoorFixture("apps: [{name: shop, token: s3cr3t}]");
        document = DoorFixture.json(door.get("/v1/openapi.json"));
    }

    @AfterAll
    void stop() {
        door.close();
    }

    @Test
    void theCopyInTheDocsEqualsTheOneThatIsServed() throws IOException {
        String copy = CompactJson.of(document);
        if (Boolean.getBoolean("update-docs")) {
            Files.writeString(PAGE, copy);
        }

        assertThat(PAGE).hasContent(copy);
    }

    @Test
    void documentsExactlyTheMethodsOfEachPath() {
        Map<String, Set<String>> described = described();
        described.forEach((path, methods) -> {
            if (path.equals("/v1/forward/{url}")) {
                assertThat(methods).isEqualTo(FORWARDED);
            } else {
                String allowed = door.call(
                                "DELETE", path.replace("{id}", "a").replace("{file}", "door.js"), "text/plain", "")
                        .headers()
                        .firstValue("Allow")
                        .orElseThrow();
                assertThat(new TreeSet<>(List.of(allowed.split(", ", -1))))
                        .as(path)
                        .isEqualTo(methods);
            }
        });
        assertThat(described).hasSize(12);
    }

    @Test
    void documentsWhichPathsNeedTheToken() {
        described()
                .forEach((path, methods) -> methods.forEach(method -> {
                    int status = door.call(
                                    method,
                                    path.replace("{id}", "a")
                                            .replace("{url}", "http://x/")
                                            .replace("{file}", "door.js"),
                                    "text/plain",
                                    "")
                            .statusCode();
                    assertThat(operation(method, path).has("security"))
                            .as(method + " " + path)
                            .isEqualTo(status == 401 || status == 407);
                }));
    }

    /** The response of a target may have any status. */
    @Test
    void onlyForwardedRequestsMayGetAnUndocumentedStatus() {
        document.get("paths")
                .forEachEntry((path, operations) -> operations.forEach(
                        operation -> assertThat(operation.get("responses").has("default"))
                                .as(path)
                                .isEqualTo(path.startsWith("/v1/forward/"))));
    }

    @Test
    void thePageOfTheDoorExplainsEveryStatusOfAProblem() throws IOException {
        String page = Files.readString(PAGE.resolveSibling("door.md"));
        Set<String> explained = new TreeSet<>();
        STATUSES.matcher(page)
                .results()
                .forEach(row -> explained.addAll(List.of(row.group(1).split(", ", -1))));
        Set<String> documented = new TreeSet<>();
        document.get("paths")
                .forEach(path -> path.forEach(
                        operation -> operation.get("responses").propertyNames().forEach(documented::add)));

        documented.removeIf(status -> !status.matches("[45]\\d\\d"));
        // A path has no operation for a method that it does not support.
        documented.add("405");
        assertThat(explained).isEqualTo(documented);
    }

    @Test
    void everyReferenceResolves() {
        assertThat(document.findValuesAsString("$ref"))
                .isNotEmpty()
                .allSatisfy(reference -> assertThat(
                                document.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "POST; /v1/calls; /v1/calls; {\"url\": \"URL\"}; 200",
                "POST; /v1/calls; /v1/calls; {\"url\": 5}; 400",
                "GET; /v1/calls/{id}; /v1/calls/unknown; ''; 404",
                "GET; /livez; /livez; ''; 200",
                "GET; /readyz; /readyz; ''; 200",
                "GET; /metrics; /metrics; ''; 200",
                "GET; /v1/status; /v1/status; ''; 200",
                "GET; /console; /console; ''; 200",
                "GET; /v1/openapi.json; /v1/openapi.json; ''; 200",
            })
    void answersAsDescribed(String method, String path, String real, String body, int status) {
        HttpResponse<String> response = door.call(
                method,
                real,
                "application/json",
                body.replace("URL", door.target.url("/ok")),
                "Authorization",
                "Bearer s3cr3t");

        check(method, path, status, response);
    }

    @Test
    void acceptsAnAsynchronousCallAsDescribed() {
        check(
                "POST",
                "/v1/calls",
                202,
                door.post(door.envelope("/delay?ms=100"), "Authorization", "Bearer s3cr3t", "Prefer", "respond-async"));
    }

    private void check(String method, String path, int status, HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        JsonNode described = operation(method, path).at("/responses/" + status);
        if (described.has("$ref")) {
            described = document.at(described.get("$ref").asString("").substring(1));
        }
        String type =
                response.headers().firstValue("Content-Type").orElseThrow().split(";", 2)[0];
        JsonNode content = described.path("content").get(type);
        assertThat(content).as("a described %s", type).isNotNull();
        if (type.endsWith("json")) {
            ObjectNode schema = ((ObjectNode) content.get("schema")).deepCopy();
            schema.set("components", document.get("components"));
            assertThat(schemas.getSchema(schema).validate(DoorFixture.json(response)).stream()
                            .map(Error::toString))
                    .isEmpty();
        }
    }

    private Map<String, Set<String>> described() {
        Map<String, Set<String>> paths = new TreeMap<>();
        document.get("paths").forEachEntry((path, operations) -> {
            Set<String> methods = new TreeSet<>();
            operations.propertyNames().forEach(method -> methods.add(method.toUpperCase(Locale.ROOT)));
            paths.put(path, methods);
        });
        return paths;
    }

    private JsonNode operation(String method, String path) {
        return document.get("paths").get(path).get(method.toLowerCase(Locale.ROOT));
    }
}
