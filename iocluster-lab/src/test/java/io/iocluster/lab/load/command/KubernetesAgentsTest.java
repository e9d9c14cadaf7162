package io.iocluster.lab.load.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.broker.ConfiguredBrokerAccess;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.thread.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Tests the Job of {@code docker/kubernetes/load} against the command that it runs. */
class KubernetesAgentsTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", ".")).resolve("..");
    private static final Path MANIFESTS = PROJECT.resolve("docker/kubernetes");
    private static final Pattern HEAP = Pattern.compile("\\n +load\\)\\n +options=\\(-Xms1g -Xmx(\\d+)g ");
    private static final YAMLMapper YAML = new YAMLMapper();

    private final JsonNode job = read("load/job.yaml").get("spec");
    private final JsonNode pod = job.at("/template/spec");
    private final JsonNode container = pod.at("/containers/0");

    @Test
    void eachPodIsAnAgentOfOneRunWithAUniqueName() {
        List<String> arguments = texts(container.get("args"));
        assertThat(arguments.get(0)).isEqualTo("load");
        CommandLine.ParseResult parsed = loadCommand()
                .parseArgs(arguments.subList(1, arguments.size()).toArray(String[]::new))
                .subcommand();

        assertThat(parsed.commandSpec().name()).isEqualTo("agent");
        assertThat(parsed.<Integer>matchedOptionValue("--runs", 0)).isEqualTo(1);
        assertThat(parsed.<String>matchedOptionValue("--name", "")).isEqualTo("$(POD_NAME)");
        assertThat(container.at("/env/0/name").asString()).isEqualTo("POD_NAME");
        assertThat(mounts()).contains(parsed.<Path>matchedOptionValue("--data", null));
        Path config = parsed.matchedOptionValue("--config", null);
        assertThat(mounts()).contains(config.getParent());
        assertThat(texts(read("load/kustomization.yaml").at("/configMapGenerator/0/files")))
                .contains(config.getFileName().toString());
    }

    @Test
    void allAgentsRunAtTheSameTimeAndOnce() {
        assertThat(job.get("completionMode").asString()).isEqualTo("Indexed");
        assertThat(job.get("parallelism")).isEqualTo(job.get("completions"));
        assertThat(job.get("backoffLimit").asInt()).isZero();
        assertThat(pod.get("restartPolicy").asString()).isEqualTo("Never");
    }

    @Test
    void theConfigurationNamesABrokerThatAgentsReach() throws IOException {
        NodeSettings settings = new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(MANIFESTS.resolve("load/node.yaml"))
                .settings();
        String[] broker = settings.kafka().bootstrapServers().split(":");

        assertThat(read("load/networkpolicy.yaml").at("/spec/egress").valueStream())
                .anySatisfy(rule -> {
                    assertThat(broker[0])
                            .endsWith("."
                                    + rule.at("/to/0/namespaceSelector/matchLabels/kubernetes.io~1metadata.name")
                                            .asString()
                                    + ".svc");
                    assertThat(rule.at("/ports/0/port").asString()).isEqualTo(broker[1]);
                });
        assertThat(read("load/networkpolicy.yaml").at("/spec/ingress")).isEmpty();
    }

    @Test
    void everySelectorMatchesTheAgentsAndNoneOfTheNodes() {
        JsonNode labels = job.at("/template/metadata/labels");

        assertThat(Stream.of(
                        pod.at("/topologySpreadConstraints/0/labelSelector/matchLabels"),
                        read("load/networkpolicy.yaml").at("/spec/podSelector/matchLabels")))
                .containsOnly(labels);
        assertThat(labels).isNotEqualTo(read("base/deployment.yaml").at("/spec/template/metadata/labels"));
    }

    @Test
    void anAgentHasNoMorePrivilegesThanANodeAndNotItsSecrets() {
        JsonNode node = read("base/deployment.yaml").at("/spec/template/spec");

        assertThat(pod.get("securityContext")).isEqualTo(node.get("securityContext"));
        assertThat(container.get("securityContext")).isEqualTo(node.at("/containers/0/securityContext"));
        assertThat(pod.get("automountServiceAccountToken").asBoolean()).isFalse();
        assertThat(pod.findValuesAsString("secretName"))
                .isNotEmpty()
                .doesNotContainAnyElementsOf(node.findValuesAsString("secretName"));
    }

    @Test
    void theMemoryFitsTheHeapThatTheScriptSets() throws IOException {
        Matcher heap = HEAP.matcher(Files.readString(PROJECT.resolve("bin/iocluster")));
        assertThat(heap.find()).isTrue();

        assertThat(Integer.parseInt(
                        container.at("/resources/limits/memory").asString().replace("Mi", "")))
                .isGreaterThanOrEqualTo(Integer.parseInt(heap.group(1)) * 1_024 * 3 / 2);
        assertThat(container.at("/resources/limits")).isEqualTo(container.at("/resources/requests"));
    }

    @Test
    void everyReferencedFileExists() {
        assertThat(Stream.of("/resources", "/configMapGenerator/0/files")
                        .flatMap(list -> texts(read("load/kustomization.yaml").at(list)).stream()))
                .isNotEmpty()
                .allMatch(file -> Files.exists(MANIFESTS.resolve("load").resolve(file)));
    }

    private List<Path> mounts() {
        return container
                .get("volumeMounts")
                .valueStream()
                .map(mount -> Path.of(mount.get("mountPath").asString()))
                .toList();
    }

    private static CommandLine loadCommand() {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream());
        Terminal terminal = new Terminal(InputStream.nullInputStream(), nowhere, nowhere, Map.of(), false, false);
        return (CommandLine)
                new LoadCommand().command(terminal, new ConfiguredBrokerAccess(Instant.EPOCH, Platform.system()));
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).toList();
    }

    private static JsonNode read(String file) {
        return YAML.readTree(MANIFESTS.resolve(file));
    }
}
