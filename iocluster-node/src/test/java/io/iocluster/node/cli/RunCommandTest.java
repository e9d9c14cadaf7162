package io.iocluster.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(180)
class RunCommandTest {

    @TempDir
    private Path folder;

    /** A node ends on SIGTERM, also during its warm-up. It exits with 1 if calls go back to the queue. */
    @ParameterizedTest
    @CsvSource({
        "0s, -Dcalls=answered, Node connected node=, Drain finished, 0",
        "1h, -Dcalls=answered, Node started version=, Drain finished, 0",
        "0s, -Dhang, " + FakeNodeMain.HANGING + ", Drain timed out, 1"
    })
    void drainsOnSigterm(String warmUp, String property, String ready, String drained, int exitCode)
            throws IOException, InterruptedException {
        assertThat(exitCodeAfterSigterm(warmUp, property, ready, drained)).isEqualTo(exitCode);
    }

    private int exitCodeAfterSigterm(String warmUp, String property, String ready, String drained)
            throws IOException, InterruptedException {
        Path config = Files.writeString(folder.resolve("node.yaml"), """
                admin: {port: 0}
                egress: {ports: [], allow-networks: [127.0.0.0/8]}
                shutdown: {drain-timeout: 100ms}
                node: {warm-up: %s}
                """.formatted(warmUp));
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        property,
                        "-cp",
                        System.getProperty("java.class.path"),
                        FakeNodeMain.class.getName(),
                        "run",
                        "--config",
                        config.toString()))
                .redirectErrorStream(true)
                .start();
        // A thread that reads the log of a process cannot be interrupted.
        CompletableFuture.delayedExecutor(2, TimeUnit.MINUTES).execute(process::destroyForcibly);
        try (BufferedReader log =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(log.lines().anyMatch(line -> line.contains(ready))).isTrue();
            // Process.destroy would also close the log.
            process.toHandle().destroy();
            assertThat(log.lines().anyMatch(line -> line.contains(drained))).isTrue();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }
}
