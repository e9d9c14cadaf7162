package io.iocluster.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.target.BlackHole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnreachableBrokerTest {

    /** How long the clients of both brokers would wait if the commands did not limit it. */
    private static final Duration CLIENTS_OWN_LIMIT = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private String config;

    @BeforeEach
    void writeConfig() throws IOException {
        config = Files.writeString(folder.resolve("node.yaml"), "").toString();
    }

    @ParameterizedTest
    @CsvSource({"kafka,send", "rabbit,send", "kafka,answers", "rabbit,answers"})
    void failsWithTheAddressIfTheConnectionIsRefused(String transport, String command) {
        String address = "127.0.0.1:" + FreePorts.find(1)[0];

        assertFails(transport, command, address);
    }

    @ParameterizedTest
    @CsvSource({"kafka,send", "rabbit,send"})
    void failsWithTheAddressIfNothingAnswers(String transport, String command) {
        try (BlackHole silent = BlackHole.open("127.0.0.1")) {
            assertFails(transport, command, "127.0.0.1:" + silent.port());
        }
    }

    @Test
    void saysThatTheInputIsMissingBeforeItAsksTheBroker() {
        String missing = folder.resolve("calls.ndjson").toString();

        CommandRun run = CommandRun.of(
                "",
                Map.of("IOCLUSTER_KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + FreePorts.find(1)[0]),
                "send",
                "--config",
                config,
                missing);

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).startsWith("iocluster: " + missing + " cannot be read: ");
    }

    private void assertFails(String transport, String command, String address) {
        Map<String, String> environment = Map.of(
                "IOCLUSTER_TRANSPORT", transport,
                "IOCLUSTER_KAFKA_BOOTSTRAP_SERVERS", address,
                "IOCLUSTER_RABBIT_URIS", "amqp://u:hush@" + address);
        long start = System.nanoTime();

        CommandRun run = CommandRun.of("{\"url\":\"http://h/\"}\n", environment, command, "--config", config);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(CLIENTS_OWN_LIMIT);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("iocluster: " + transport + ": " + address + ": ")
                .doesNotContain("hush")
                .hasLineCount(1);
    }
}
