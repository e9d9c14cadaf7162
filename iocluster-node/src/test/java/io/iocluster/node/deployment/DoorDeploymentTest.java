package io.iocluster.node.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.door.config.DoorTransport;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.door.DoorProcess;
import io.iocluster.settings.DurationText;
import io.iocluster.testkit.process.RenderedChart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Tests the sidecar of the chart, the compose file and the systemd unit of the door against its settings. */
class DoorDeploymentTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", ".")).resolve("..");
    private static final Path DOCKER = PROJECT.resolve("docker");
    private static final Path UNIT = PROJECT.resolve("iocluster-dist/src/dist/systemd/iocluster-door.service");
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Map<String, String> POD = Map.of("POD_NAME", "shop-0");

    private final JsonNode sidecar = read(RenderedChart.folder("sidecar")
                    .resolve("ConfigMap-doors-iocluster-sidecar.yaml"))
            .get("data");
    private final String configuration = sidecar.get("door.yaml").asString();
    private final JsonNode container =
            YAML.readTree(sidecar.get("patch.yaml").asString()).at("/spec/template/spec/initContainers/0");
    private final JsonNode compose = read(DOCKER.resolve("compose.door.yaml"));

    @Test
    void theSidecarStartsWithItsConfigurationAndPassesItsProbes() throws Exception {
        int port;
        try (DoorProcess door =
                DoorProcess.start(loaded(configuration, Map.of("POD_NAME", "shop-0", "IOCLUSTER_DOOR_PORT", "0")))) {
            port = door.address().getPort();
            assertThat(probes())
                    .hasSize(3)
                    .allSatisfy(command -> assertThat(run(command, port))
                            .as(String.join(" ", command))
                            .isZero());
        }
        assertThat(run(probes().get(0), port)).isNotZero();
    }

    @Test
    void aProbeOfAnUnknownPathFails() throws Exception {
        try (DoorProcess door =
                DoorProcess.start(loaded(configuration, Map.of("POD_NAME", "shop-0", "IOCLUSTER_DOOR_PORT", "0")))) {
            assertThat(run(
                            List.of("/opt/iocluster/bin/healthcheck", "8081", "/unknown"),
                            door.address().getPort()))
                    .isNotZero();
        }
    }

    @Test
    void theSidecarIsNativeAndListensForThePodOnly() {
        NodeSettings settings = loaded(configuration, POD).settings();

        assertThat(container.get("restartPolicy").asString()).isEqualTo("Always");
        assertThat(settings.door().transport()).isEqualTo(DoorTransport.LOCAL);
        assertThat(settings.door().host()).isEqualTo("127.0.0.1");
        assertThat(probes())
                .allMatch(command ->
                        command.get(1).equals(Integer.toString(settings.door().port())));
        assertThat(settings.node().id()).isEqualTo("shop-0");
        assertThat(container.at("/args/2").asString())
                .isEqualTo(container.at("/volumeMounts/0/mountPath").asString() + "/door.yaml");
    }

    @Test
    void theSidecarHasNoPrivileges() {
        JsonNode security = container.get("securityContext");

        assertThat(security.get("runAsNonRoot").asBoolean()).isTrue();
        assertThat(security.get("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(security.get("allowPrivilegeEscalation").asBoolean()).isFalse();
        assertThat(texts(security.at("/capabilities/drop"))).containsExactly("ALL");
    }

    @Test
    void everyDoorDrainsWithinItsGracePeriod() throws IOException {
        Duration podDrains = loaded(configuration, POD).settings().shutdown().drainTimeout();
        Duration composeDrains = settings(DOCKER.resolve("config/door/door.yaml"), Map.of())
                .shutdown()
                .drainTimeout();
        Duration defaultDrains = defaults().shutdown().drainTimeout();

        // Kubernetes allows a pod 30 s unless it says more.
        assertThat(podDrains).isLessThanOrEqualTo(Duration.ofSeconds(25));
        assertThat(composeDrains.plusSeconds(10))
                .isLessThanOrEqualTo(DurationText.parse(
                        compose.at("/services/door/stop_grace_period").asString()));
        assertThat(defaultDrains.plusSeconds(10))
                .isLessThanOrEqualTo(Duration.ofSeconds(Integer.parseInt(unit("TimeoutStopSec"))));
    }

    @Test
    void everyMemoryLimitFitsHeapDirectMemoryAndJvmOverhead() throws IOException {
        String script = Files.readString(PROJECT.resolve("bin/iocluster"));
        Matcher options = Pattern.compile("-Xmx(\\d+)m -XX:MaxDirectMemorySize=(\\d+)m -XX:\\+UseSerialGC")
                .matcher(script);
        assertThat(options.find()).isTrue();
        int needed = Integer.parseInt(options.group(1)) + Integer.parseInt(options.group(2)) + 128;

        assertThat(Stream.of(
                        container.at("/resources/limits/memory").asString(),
                        compose.at("/services/door/mem_limit").asString(),
                        unit("MemoryMax")))
                .allSatisfy(limit -> assertThat(Integer.parseInt(limit.replaceAll("\\D", "")))
                        .as(limit)
                        .isGreaterThanOrEqualTo(needed));
    }

    @Test
    void noDoorStartsThreadsForEachCpuOfALargeMachine() throws IOException {
        assertThat(container.at("/env").valueStream())
                .anyMatch(variable -> variable.path("value").asString("").equals("-XX:ActiveProcessorCount=2"));
        assertThat(compose.at("/services/door/cpus").asInt()).isEqualTo(2);
        assertThat(unit("Environment")).isEqualTo("IOCLUSTER_JAVA_OPTS=-XX:ActiveProcessorCount=2");
    }

    @Test
    void theComposeServiceReachesTheDoorOnLoopback() {
        NodeSettings settings = settings(DOCKER.resolve("config/door/door.yaml"), Map.of());
        JsonNode door = compose.at("/services/door");

        assertThat(compose.at("/services/service/network_mode").asString()).isEqualTo("service:door");
        assertThat(texts(compose.at("/services/service/command")))
                .contains("http://127.0.0.1:" + settings.door().port() + "/v1/calls");
        assertThat(compose.at("/services/service/image").asString()).matches("[a-z/]+:\\d+(\\.\\d+)+");
        assertThat(texts(door.at("/healthcheck/test")))
                .containsExactly(
                        "CMD",
                        "/opt/iocluster/bin/healthcheck",
                        Integer.toString(settings.door().port()),
                        "/readyz");
        assertThat(settings.egress().allowNetworks())
                .containsExactly(
                        compose.at("/networks/default/ipam/config/0/subnet").asString());
        assertThat(door.get("read_only").asBoolean()).isTrue();
        assertThat(texts(door.get("cap_drop"))).containsExactly("ALL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NoNewPrivileges=yes", "ProtectSystem=strict", "User=iocluster", "CapabilityBoundingSet="})
    void theUnitHasNoPrivileges(String line) throws IOException {
        assertThat(Files.readAllLines(UNIT)).contains(line);
    }

    @Test
    void theUnitIsPartOfTheDistributionAndRunsTheDoor() throws IOException {
        assertThat(unit("ExecStart")).isEqualTo("/opt/iocluster/bin/iocluster door --config /etc/iocluster/door.yaml");
        assertThat(Files.readString(PROJECT.resolve("iocluster-dist/src/assembly/distribution.xml")))
                .contains("<directory>src/dist/systemd</directory>");
    }

    private List<List<String>> probes() {
        List<List<String>> commands = new ArrayList<>();
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            commands.add(texts(container.at("/" + probe + "/exec/command")));
        }
        return commands;
    }

    /** Runs the command of a probe in this checkout, on another port. */
    private static int run(List<String> command, int port) throws IOException, InterruptedException {
        assertThat(command.get(0)).isEqualTo("/opt/iocluster/bin/healthcheck");
        return new ProcessBuilder(
                        "bash", DOCKER.resolve("healthcheck").toString(), Integer.toString(port), command.get(2))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private static String unit(String key) throws IOException {
        return Files.readAllLines(UNIT).stream()
                .filter(line -> line.startsWith(key + "="))
                .map(line -> line.substring(key.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    private static NodeSettings settings(Path file, Map<String, String> environment) {
        return loaded(file, environment).settings();
    }

    private static LoadedSettings<NodeSettings> loaded(Path file, Map<String, String> environment) {
        return new SettingsLoader<>(NodeSettings.class, environment).load(file);
    }

    private static LoadedSettings<NodeSettings> loaded(String yaml, Map<String, String> environment) {
        return new SettingsLoader<>(NodeSettings.class, environment).load(yaml, DOCKER);
    }

    private static NodeSettings defaults() {
        return loaded("{}", Map.of()).settings();
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).toList();
    }

    private static JsonNode read(Path file) {
        return YAML.readTree(file);
    }
}
