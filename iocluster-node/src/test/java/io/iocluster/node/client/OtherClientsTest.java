package io.iocluster.node.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.iocluster.node.door.DoorFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Runs the tests of the clients in Python, TypeScript and Go: with the shared vectors and on a real door. {@link ProducerExamplesIT} uses
 * the clients on real brokers.
 */
class OtherClientsTest {

    private static final Path CLIENTS =
            Path.of(System.getProperty("basedir", ".")).resolve("../clients").toAbsolutePath();

    @Test
    void theClientInPythonPassesItsTests() throws Exception {
        run(CLIENTS.resolve("python"), List.of("python3", "-B", "-m", "unittest", "discover", "-s", "tests"));
    }

    @Test
    void theClientInTypeScriptPassesItsTests() throws Exception {
        assumeTrue(ProducerExample.NODE.install(), "left out: no Node.js");
        run(
                ProducerExample.NODE.folder().resolve("typescript"),
                List.of("node", "--test", "test/door.test.mjs", "test/vectors.test.mjs"));
    }

    @Test
    void theClientInGoPassesItsTests() throws Exception {
        String hasGo = ". '" + CLIENTS.resolve("../bin/lib/env.sh") + "' && has_go";
        assumeTrue(new ProcessBuilder("bash", "-c", hasGo).start().waitFor() == 0, "left out: no toolchain for Go");
        run(CLIENTS.resolve("go"), List.of("go", "test", "-count=1", "./..."));
    }

    private static void run(Path folder, List<String> command) throws IOException, InterruptedException {
        try (DoorFixture door = new DoorFixture("")) {
            ProcessBuilder tests =
                    new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
            tests.environment().put("PYTHONPATH", "src");
            tests.environment().put("DOOR", door.uri("").toString());
            tests.environment().put("TARGET", door.target.url("/ok"));
            Process started = tests.start();
            String output = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(started.waitFor()).as(output).isZero();
        }
    }
}
