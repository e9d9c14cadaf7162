package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Runs the programs of {@code examples/door} on a real door. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoorExamplesTest {

    private static final Path EXAMPLES = Path.of(System.getProperty("basedir", "."))
            .resolve("../examples/door")
            .toAbsolutePath();

    private DoorFixture door;

    @TempDir
    Path folder;

    @BeforeAll
    void start() {
        door = new DoorFixture("");
    }

    @AfterAll
    void stop() {
        door.close();
    }

    @Test
    void theScriptWithCurlMakesEachKindOfCall() throws Exception {
        Output output = run("bash", EXAMPLES.resolve("calls.sh").toString(), door.target.url("/echo"), address());

        assertThat(output.exitCode()).as(output.text()).isZero();
        assertThat(output.text()).contains("\"id\":\"a\"", "\"id\":\"b\"");
        // The asynchronous call may end before its first response, which then has the answer too.
        assertThat(output.text().split("\"outcome\":\"answered\"", -1)).hasSizeBetween(5, 6);
        assertThat(DoorFixture.json(output.lines().get(output.lines().size() - 1))
                        .path("method")
                        .asString(""))
                .isEqualTo("GET");
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
        String[] command = new String[4 + urls.length];
        command[0] = "python3";
        command[1] = EXAMPLES.resolve("door_calls.py").toString();
        command[2] = "--door";
        command[3] = address();
        System.arraycopy(urls, 0, command, 4, urls.length);
        return run(command);
    }

    private String address() {
        return door.uri("").toString();
    }

    private record Output(int exitCode, String text) {
        List<String> lines() {
            return text.lines().toList();
        }
    }

    private Output run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Output(process.waitFor(), text);
    }
}
