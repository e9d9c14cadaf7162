package io.iocluster.node.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.AdminFixture;
import io.iocluster.node.door.DoorFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lets schemathesis compare the OpenAPI documents with a real door and a real admin server: it sends requests that the documents describe
 * or forbid, and checks the statuses, types and bodies of the responses.
 */
class OpenApiFuzzIT {

    private static final Path ENVIRONMENT = Path.of(System.getProperty("basedir", "."), "target", "schemathesis");
    private static final String MAX_SECONDS = "20";

    @TempDir
    private Path folder;

    @BeforeAll
    static void install() throws Exception {
        int exit = new ProcessBuilder("bash", "../bin/lib/python.sh", ENVIRONMENT.toString(), "schemathesis==4.32.5")
                .inheritIO()
                .start()
                .waitFor();
        assertThat(exit).isZero();
    }

    @Test
    void theDoorBehavesAsItsDocumentSays() throws Exception {
        // Makes no calls to hosts that schemathesis invents.
        String egress = "allow-networks: [127.0.0.0/8], allow-hosts: [127.0.0.1]";
        try (DoorFixture door = new DoorFixture("", "http: {deadline: 2s}\n", egress)) {
            // The response of /v1/answers has no end.
            check(door.uri("/v1/openapi.json"), "--exclude-path", "/v1/answers");
        }
    }

    @Test
    void theAdminServerBehavesAsItsDocumentSays() throws Exception {
        try (AdminFixture node = new AdminFixture("admin: {port: 0}\n")) {
            // Drains the node, changes the log of this JVM, or has a response without an end.
            check(node.uri("/api/openapi.json"), "--exclude-path-regex", "^/api/(drain|events|tap|log-levels)$");
        }
    }

    private void check(URI document, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                ENVIRONMENT.resolve("bin/schemathesis").toAbsolutePath().toString(),
                "run",
                document.toString(),
                "--phases=examples,coverage,fuzzing",
                "--max-time=" + MAX_SECONDS,
                "--seed=1",
                "--continue-on-failure",
                "--generation-database=none",
                "--no-color",
                "--warnings=off",
                // A schema cannot say which URLs, headers and credentials the rules of a node allow.
                "--exclude-checks=positive_data_acceptance"));
        command.addAll(List.of(more));
        Path output = folder.resolve("output.txt");
        int exit = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();

        assertThat(exit).as(() -> read(output)).isZero();
    }

    private static String read(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
