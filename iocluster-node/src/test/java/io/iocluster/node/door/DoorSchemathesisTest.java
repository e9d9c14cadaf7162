package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lets Schemathesis compare a real door with its OpenAPI document: it sends requests that are valid by the document and others, and expects a
 * documented status, content type, header and schema.
 */
class DoorSchemathesisTest {

    private static final Path SCRIPTS =
            Path.of(System.getProperty("basedir", ".")).resolve("../bin/lib").toAbsolutePath();

    private static final Path ENVIRONMENT = Path.of("target", "schemathesis").toAbsolutePath();

    @TempDir
    private Path folder;

    @Test
    void everyResponseIsDocumented() throws IOException, InterruptedException {
        Path hooks = folder.resolve("schemathesis_hooks.py");
        try (var resource = getClass().getResourceAsStream("schemathesis_hooks.py")) {
            Files.write(hooks, resource.readAllBytes());
        }
        run(
                Map.of(),
                List.of(
                        "bash",
                        SCRIPTS.resolve("python.sh").toString(),
                        ENVIRONMENT.toString(),
                        "schemathesis==4.32.5"));
        try (DoorFixture door = new DoorFixture("", "", "allow-hosts: [127.0.0.1], allow-networks: [127.0.0.0/8]")) {
            run(
                    Map.of("SCHEMATHESIS_HOOKS", hooks.toString(), "TARGET", door.target.url("/ok")),
                    List.of(
                            ENVIRONMENT.resolve("bin/schemathesis").toString(),
                            "run",
                            door.uri("/v1/openapi.json").toString(),
                            "--phases=coverage,fuzzing",
                            "--max-examples=10",
                            "--seed=17",
                            "--generation-deterministic",
                            // A schema cannot express all rules for URLs, headers and credentials.
                            "--exclude-checks=positive_data_acceptance",
                            // The stream of answers does not end.
                            "--exclude-path=/v1/answers",
                            "--suppress-health-check=all",
                            "--warnings=off",
                            "--no-color"));
        }
    }

    private void run(Map<String, String> environment, List<String> command) throws IOException, InterruptedException {
        File output = folder.resolve("output").toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output);
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        assertThat(code).as(() -> read(output)).isZero();
    }

    private static String read(File output) {
        try {
            return Files.readString(output.toPath(), StandardCharsets.UTF_8);
        } catch (IOException gone) {
            return gone.toString();
        }
    }
}
