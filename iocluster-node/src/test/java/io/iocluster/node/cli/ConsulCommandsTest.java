package io.iocluster.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.FakeBrokerAccess;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.consul.FakeConsulAgent;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests commands whose configuration is in Consul. */
class ConsulCommandsTest {

    private final FakeConsulAgent agent = new FakeConsulAgent();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        agent.close();
    }

    @Test
    void checkShowsThatConsulOverridesTheFile() throws IOException {
        agent.keys().put("nodes", "workers: {max-in-flight: 77}");

        assertThat(check("node: {id: node-1}")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("id: node-1", "max-in-flight: 77", "key: nodes", "token: \"***\"")
                .doesNotContain("s3cr3t");
        assertThat(err()).isEmpty();
    }

    @Test
    void checkReportsErrorsInConsulAndInTheFile() throws IOException {
        agent.keys().put("nodes", "workers: {max-in-flight: 0}");

        assertThat(check("http: {timeout: 0s}")).isEqualTo(2);
        assertThat(err().lines())
                .contains(
                        "workers.max-in-flight must be from 1 to 1000000: 0 (in Consul's key nodes)",
                        "http.timeout must be positive: 0s");
    }

    @Test
    void reportsAMissingKey() throws IOException {
        assertThat(check("")).isEqualTo(2);
        assertThat(err()).isEqualTo("config.consul.key is not in Consul: nodes\n");
    }

    @Test
    void failsIfTheAgentIsUnreachable() throws IOException {
        agent.stop();

        assertThat(check("")).isEqualTo(1);
        assertThat(err())
                .isEqualTo("iocluster: no configuration from Consul at " + agent.address()
                        + " within 50ms: connection refused\n");
    }

    @Test
    void reportsErrorsInTheFileWithoutCallingConsul() throws IOException {
        agent.stop();
        Path file = Files.writeString(
                folder.resolve("node.yaml"), "{workers: {threads: x}, config: {consul: {key: nodes}}}");

        assertThat(run("check", "--config", file.toString())).isEqualTo(2);
        assertThat(err().lines())
                .containsExactlyInAnyOrder(
                        "workers.threads must be a whole number: x", "config.consul.key requires an address");
    }

    private int check(String yaml) throws IOException {
        Path file = Files.writeString(
                folder.resolve("node.yaml"),
                yaml + "\nconfig: {consul: {address: '" + agent.address()
                        + "', key: nodes, token: s3cr3t, min-interval: 1ms, base-delay: 1ms, max-delay: 5ms,"
                        + " startup-timeout: 50ms}}\n");
        return run("check", "--config", file.toString());
    }

    private int run(String... arguments) {
        Terminal terminal = new Terminal(
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of(),
                false,
                false);
        return Commands.run(terminal, new FakeBrokerAccess(), arguments);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
