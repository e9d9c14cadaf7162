package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Runs the programs of {@code examples/door} on a real door. Those in a language without a toolchain on this machine are skipped. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoorExamplesTest {

    private static final Path EXAMPLES = Path.of(System.getProperty("basedir", "."))
            .resolve("../examples/door")
            .toAbsolutePath();

    private static final int NO_TOOLCHAIN = 3;
    private static final Path BIN = EXAMPLES.resolve("../../bin/lib");
    private static final Path GO_FOLDER =
            Path.of("target", "go-example-of-the-door").toAbsolutePath();

    private static final Path GRPC_FOLDER =
            Path.of("target", "grpc-example-of-the-door").toAbsolutePath();
    private static final String GRPC = "grpc: {enabled: true, port: 0}";

    private DoorFixture door;
    private DoorFixture guardedDoor;
    private boolean hasGo;
    private boolean hasNode;

    @BeforeAll
    void start() throws Exception {
        door = new DoorFixture(GRPC);
        guardedDoor = new DoorFixture(GRPC + ", apps: [{name: shop, token: s3cr3t}]");
        hasGo = build(GO_FOLDER, "examples/door/go") && build(GRPC_FOLDER, "examples/door/grpc");
        hasNode = run(Map.of(), List.of("bash", "-c", ". '" + BIN.resolve("env.sh") + "' && has_node"))
                        .exitCode()
                == 0;
    }

    /** Builds a program in Go. Returns false if there is no toolchain. */
    private boolean build(Path folder, String example) throws IOException, InterruptedException {
        Output built =
                run(Map.of(), List.of("bash", BIN.resolve("go-example.sh").toString(), folder.toString(), example));
        assertThat(built.exitCode()).as(built.text()).isIn(0, NO_TOOLCHAIN);
        return built.exitCode() == 0;
    }

    @AfterAll
    void stop() {
        door.close();
        guardedDoor.close();
    }

    /** The programs that make each kind of call. */
    private enum Program {
        CURL,
        GO,
        NODE
    }

    @ParameterizedTest
    @EnumSource
    void aProgramMakesEachKindOfCall(Program program) throws Exception {
        Output output = run(Map.of(), commandLine(program, door));

        assertThat(output.exitCode()).as(output.text()).isZero();
        assertThat(output.text()).contains("\"id\":\"a\"", "\"id\":\"b\"");
        // The asynchronous call may end before its first response, which then has the answer too.
        assertThat(output.text().split("\"outcome\":\"answered\"", -1)).hasSizeBetween(5, 6);
        assertThat(DoorFixture.json(output.lines().get(output.lines().size() - 1))
                        .path("method")
                        .asString(""))
                .isEqualTo("GET");
    }

    @ParameterizedTest
    @EnumSource
    void aProgramSendsItsToken(Program program) throws Exception {
        Output output = run(Map.of("DOOR_TOKEN", "s3cr3t"), commandLine(program, guardedDoor));

        assertThat(output.exitCode()).as(output.text()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aProgramReportsTheProblemOfTheDoor(Program program) throws Exception {
        Output output = run(Map.of("DOOR_TOKEN", "wrong"), commandLine(program, guardedDoor));

        assertThat(output.exitCode()).as(output.text()).isNotZero();
        assertThat(output.text()).contains("unauthorized").doesNotContain("goroutine ", "    at ");
    }

    private List<String> commandLine(Program program, DoorFixture to) {
        String url = to.target.url("/echo");
        String address = to.uri("").toString();
        return switch (program) {
            case CURL -> List.of("bash", EXAMPLES.resolve("calls.sh").toString(), url, address);
            case GO -> {
                assumeTrue(hasGo, "left out: no toolchain for Go");
                yield List.of(GO_FOLDER.resolve("door").toString(), "--door", address, url);
            }
            case NODE -> {
                assumeTrue(hasNode, "left out: no Node.js");
                yield List.of("node", EXAMPLES.resolve("node/door-calls.mjs").toString(), "--door", address, url);
            }
        };
    }

    @Test
    void theProgramForGrpcMakesOneCall() throws Exception {
        Output output = grpc(Map.of(), door, "Call", envelope("a"));

        assertThat(output.exitCode()).as(output.text()).isZero();
        JsonNode answer = DoorFixture.json(output.text());
        assertThat(answer.path("id").asString()).isEqualTo("a");
        assertThat(answer.path("outcome").asString()).isEqualTo("OUTCOME_ANSWERED");
    }

    @Test
    void theProgramForGrpcMakesTheCallsOfAStreamWithItsToken() throws Exception {
        Output output = grpc(Map.of("DOOR_TOKEN", "s3cr3t"), guardedDoor, "StreamCalls", envelope("a"), envelope("b"));

        assertThat(output.exitCode()).as(output.text()).isZero();
        assertThat(output.lines())
                .extracting(line -> DoorFixture.json(line).path("id").asString())
                .containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void theProgramForGrpcReportsTheProblemOfTheDoor() throws Exception {
        Output output = grpc(Map.of("DOOR_TOKEN", "wrong"), guardedDoor, "Call", envelope("a"));

        assertThat(output.exitCode()).as(output.text()).isEqualTo(1);
        assertThat(output.text()).startsWith("unauthorized: ");
    }

    @Test
    void theProgramForGrpcReportsAnEnvelopeThatIsNotValid() throws Exception {
        Output output = grpc(Map.of(), door, "StreamCalls", envelope("a"), "{\"url\": 7}");

        assertThat(output.exitCode()).as(output.text()).isEqualTo(1);
        assertThat(output.text()).contains("invalid value for string field url");
    }

    private String envelope(String id) {
        return "{\"id\": \"" + id + "\", \"url\": \"" + door.target.url("/ok") + "\"}";
    }

    private Output grpc(Map<String, String> environment, DoorFixture to, String method, String... requests)
            throws IOException, InterruptedException {
        assumeTrue(hasGo, "left out: no toolchain for Go");
        String address = "127.0.0.1:" + to.door.grpcAddress().orElseThrow().getPort();
        List<String> command =
                new ArrayList<>(List.of(GRPC_FOLDER.resolve("door-grpc").toString(), "-door", address, method));
        command.addAll(List.of(requests));
        return run(environment, command);
    }

    @Test
    void theProgramInPythonMakesOneCall() throws Exception {
        Output output = python(door.target.url("/ok"));

        assertThat(output.exitCode()).as(output.text()).isZero();
        assertThat(output.lines())
                .singleElement()
                .satisfies(
                        line -> assertThat(DoorFixture.json(line).path("status").asInt())
                                .isEqualTo(200));
    }

    @Test
    void theProgramInPythonMakesABatchAndReportsACallWithoutAnAnswer() throws Exception {
        Output output = python(door.target.url("/ok"), door.target.url("/ok"), "http://169.254.169.254/");

        assertThat(output.exitCode()).as(output.text()).isEqualTo(1);
        assertThat(output.lines()).hasSize(3);
        assertThat(output.text()).contains("address-not-allowed");
    }

    private Output python(String... urls) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "python3",
                EXAMPLES.resolveSibling("python/door_calls.py").toString(),
                "--door",
                door.uri("").toString()));
        command.addAll(List.of(urls));
        String client = EXAMPLES.resolve("../../clients/python/src").toString();
        return run(Map.of("PYTHONPATH", client, "PYTHONDONTWRITEBYTECODE", "1"), command);
    }

    private record Output(int exitCode, String text) {
        List<String> lines() {
            return text.lines().toList();
        }
    }

    private Output run(Map<String, String> environment, List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Output(process.waitFor(), text);
    }
}
