package io.iocluster.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.FakeBrokerAccess;
import io.iocluster.node.consul.FakeConsulAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests commands whose configuration is in Consul. */
class ConsulCommandsTest {

    private final FakeConsulAgent agent = new FakeConsulAgent();
    private CommandRun last;

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
        assertThat(last.out())
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
        last = CommandRun.with(new FakeBrokerAccess(), "", Map.of(), arguments);
        return last.code();
    }

    private String err() {
        return last.err();
    }
}
