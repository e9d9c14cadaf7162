package io.iocluster.node.config.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.node.config.BootstrapSettings;
import io.iocluster.node.config.ConfigSettings;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.settings.InvalidSettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests YAML that overrides the file and is overridden by the environment. */
class OverlayTest {

    private static final String FILE = """
            node: {id: node-1}
            workers: {threads: 2, max-in-flight: 50}
            egress: {ports: [80, 443]}
            kafka: {properties: {client.rack: a}}
            """;

    @TempDir
    Path folder;

    private NodeSettings over(String file, String yaml, Map<String, String> environment) {
        return new SettingsLoader<>(NodeSettings.class, environment)
                .withOverlay(new Overlay("Consul's key a", yaml, "config.consul"))
                .load(file, folder)
                .settings();
    }

    @Test
    void mergesMapsAndReplacesOtherValues() {
        NodeSettings settings =
                over(FILE, "{workers: {max-in-flight: 60}, egress: {ports: [8443]}, http: {timeout: 5s}}", Map.of());

        assertThat(settings.node().id()).isEqualTo("node-1");
        assertThat(settings.workers().threads()).isEqualTo(2);
        assertThat(settings.workers().maxInFlight()).isEqualTo(60);
        assertThat(settings.egress().ports()).containsExactly(8443);
        assertThat(settings.http().timeout()).hasSeconds(5);
        assertThat(settings.kafka().properties()).containsEntry("client.rack", "a");
    }

    @Test
    void anEmptyValueRestoresTheDefault() {
        assertThat(over(FILE, "workers: {max-in-flight: }", Map.of()).workers().maxInFlight())
                .isEqualTo(300);
        assertThat(over(FILE, "workers: ", Map.of()).workers().threads()).isZero();
    }

    @Test
    void mayBeEmpty() {
        assertThat(over(FILE, "", Map.of()).workers().maxInFlight()).isEqualTo(50);
        assertThat(over(FILE, "# nothing yet\n", Map.of()).workers().maxInFlight())
                .isEqualTo(50);
    }

    @Test
    void theEnvironmentOverridesIt() {
        Map<String, String> environment = Map.of("IOCLUSTER_WORKERS_MAX_IN_FLIGHT", "70");

        assertThat(over(FILE, "workers: {max-in-flight: 60}", environment)
                        .workers()
                        .maxInFlight())
                .isEqualTo(70);
    }

    @Test
    void isInterpolatedLikeTheFile() throws IOException {
        Files.writeString(folder.resolve("token"), "s3cr3t\n");

        NodeSettings settings = over(
                FILE, "{admin: {token: \"${file:token}\"}, workers: {threads: \"${CORES}\"}}", Map.of("CORES", "3"));

        assertThat(settings.admin().token()).isEqualTo("s3cr3t");
        assertThat(settings.workers().threads()).isEqualTo(3);
    }

    @Test
    void ignoresErrorsInOverriddenValues() {
        assertThat(over("workers: {threads: \"${NOT_SET}\"}", "workers: {threads: 3}", Map.of())
                        .workers()
                        .threads())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "workers: {max-in-flight: 0} | workers.max-in-flight must be from 1 to 1000000: 0 (in Consul's key a)",
                "workers: {thread: 1} | workers.thread is not a known key; did you mean threads? (in Consul's key a)",
                "workers: {threads: '${NOT_SET}'} | workers.threads needs the environment variable NOT_SET, which is not set"
                        + " (in Consul's key a)",
                "[a] | Consul's key a must contain a map of keys",
                "workers: {threads: 1, threads: 2} | workers.threads is set twice, the second time on line 1 (in Consul's key a)",
                "config: {consul: {key: b}} | config.consul.key must not be set in Consul's key a",
                "config: {consul: } | config.consul must not be set in Consul's key a",
                "config: | config must not be set in Consul's key a",
            })
    void errorsNameTheOverlay(String yaml, String error) {
        assertThatThrownBy(() -> over(FILE, yaml, Map.of()))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessage(error);
    }

    @Test
    void errorsInTheFileDoNotNameTheOverlay() {
        assertThatThrownBy(() -> over("http: {timeout: 0s}", "workers: {threads: 2}", Map.of()))
                .hasMessageStartingWith("http.timeout must be positive: 0s")
                .hasMessageNotContaining("Consul");
    }

    @Test
    void canSetTheOtherKeysOfConfig() {
        NodeSettings settings = over("config: {poll-interval: 1s}", "config: {poll-interval: 2s}", Map.of());

        assertThat(settings.config().pollInterval()).hasSeconds(2);
    }

    @Test
    void loadsOnePartWhileAnotherHasErrors() throws IOException {
        Path file = Files.writeString(
                folder.resolve("node.yaml"), "{worker: 3, http: {timeout: no}, config: {poll-interval: 3s}}");

        ConfigSettings part = new SettingsLoader<>(
                        BootstrapSettings.class,
                        Map.of("IOCLUSTER_CONFIG_CONSUL_ADDRESS", "http://a:1", "IOCLUSTER_WORKERS_THREADS", "x"))
                .loadPartial(file)
                .settings()
                .config();

        assertThat(part.pollInterval()).hasSeconds(3);
        assertThat(part.consul().address()).isEqualTo("http://a:1");
    }
}
