package io.iocluster.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.target.BlackHole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnreachableBrokerTest {

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

        assertFails(transport, command, address, Instant.now());
    }

    @ParameterizedTest
    @CsvSource({"kafka,send", "rabbit,send"})
    void failsWithTheAddressIfNothingAnswers(String transport, String command) {
        try (BlackHole silent = BlackHole.open("127.0.0.1")) {
            // The command has no time left, so it waits for 3 s. The clients of both brokers would wait for 5 s.
            CommandRun run = assertFails(transport, command, "127.0.0.1:" + silent.port(), Instant.EPOCH);

            assertThat(run.err()).contains("no broker answers within 3s");
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

    private CommandRun assertFails(String transport, String command, String address, Instant start) {
        Map<String, String> environment = Map.of(
                "IOCLUSTER_TRANSPORT", transport,
                "IOCLUSTER_KAFKA_BOOTSTRAP_SERVERS", address,
                "IOCLUSTER_RABBIT_URIS", "amqp://u:hush@" + address);

        CommandRun run =
                CommandRun.startedAt(start, "{\"url\":\"http://h/\"}\n", environment, command, "--config", config);

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("iocluster: " + transport + ": " + address + ": ")
                .doesNotContain("hush")
                .hasLineCount(1);
        return run;
    }
}
