package io.iocluster.lab.load.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.broker.ConfiguredBrokerAccess;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.testkit.process.RenderedChart;
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
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Tests the Job of the Helm chart against the command that it runs. */
class KubernetesAgentsTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", ".")).resolve("..");
    private static final Pattern HEAP = Pattern.compile("\\n +load\\)\\n +options=\\(-Xms1g -Xmx(\\d+)g ");
    private static final YAMLMapper YAML = new YAMLMapper();

    private final JsonNode job = read("load", "Job-load-iocluster-load").get("spec");
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
        assertThat(read("load-rabbit", "Job-load-iocluster-load")
                        .at("/spec/template/spec/containers/0/volumeMounts")
                        .findValuesAsString("mountPath"))
                .contains(parsed.<Path>matchedOptionValue("--data", null).toString());
        Path config = parsed.matchedOptionValue("--config", null);
        assertThat(mounts()).contains(config.getParent());
        assertThat(read("load", "ConfigMap-load-iocluster-load").get("data").propertyNames())
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
    void anAgentHasNoMorePrivilegesThanANodeAndNotItsSecrets() {
        JsonNode node = read("kafka", "Deployment-iocluster").at("/spec/template/spec");

        assertThat(pod.get("securityContext")).isEqualTo(node.get("securityContext"));
        assertThat(container.get("securityContext")).isEqualTo(node.at("/containers/0/securityContext"));
        assertThat(pod.get("automountServiceAccountToken").asBoolean()).isFalse();
        assertThat(node.findValues("secret")).isNotEmpty();
        assertThat(pod.findValues("secret")).isEmpty();
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

    private static JsonNode read(String example, String object) {
        return YAML.readTree(RenderedChart.folder(example).resolve(object + ".yaml"));
    }
}
