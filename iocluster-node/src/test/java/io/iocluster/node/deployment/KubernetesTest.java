package io.iocluster.node.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.policy.LimitScope;
import io.iocluster.egress.CidrBlock;
import io.iocluster.node.ColdNode;
import io.iocluster.node.MemoryPipelines;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.runtime.Node;
import io.iocluster.testkit.memory.MemoryBroker;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Tests the manifests in {@code docker/kubernetes} against the node's settings. */
class KubernetesTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", ".")).resolve("..");
    private static final Path MANIFESTS = PROJECT.resolve("docker/kubernetes");
    private static final Pattern SECRET = Pattern.compile("\\$\\{file:\\.\\./secret/([^}]+)}");
    private static final Pattern LITERAL = Pattern.compile("--from-literal=([a-z-]+)=");
    private static final Pattern MIN_HEAP = Pattern.compile("(?m)^-Xms(\\d+)m$");
    private static final Pattern HEAP = Pattern.compile("(?m)^-Xmx(\\d+)m$");
    private static final Pattern DIRECT = Pattern.compile("(?m)^-XX:MaxDirectMemorySize=(\\d+)m$");
    private static final Map<String, String> SECRETS = Map.of(
            "rabbit-uri", "amqps://user:password@rabbitmq:5671/",
            "rabbit-management-uri", "https://user:password@rabbitmq:15671");
    private static final YAMLMapper YAML = new YAMLMapper();

    @TempDir
    Path root;

    private final JsonNode deployment = read("base/deployment.yaml");
    private final JsonNode pod = deployment.at("/spec/template/spec");
    private final JsonNode container = pod.at("/containers/0");

    @ParameterizedTest
    @ValueSource(strings = {"kafka", "rabbit"})
    void aNodeStartsWithTheMountedFilesAndAnswersItsProbes(String transport) throws Exception {
        Map<String, String> environment = new HashMap<>(ColdNode.ENVIRONMENT);
        environment.putAll(
                Map.of("POD_NAME", "iocluster-0", "IOCLUSTER_ADMIN_HOST", "127.0.0.1", "IOCLUSTER_ADMIN_PORT", "0"));
        LoadedSettings<NodeSettings> settings =
                new SettingsLoader<>(NodeSettings.class, environment).load(mount(transport));

        try (Node node = Node.start(settings, MemoryPipelines.alone(new MemoryBroker()))) {
            for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                assertThat(status(
                                node,
                                container.at("/" + probe + "/httpGet/path").asString()))
                        .as(probe)
                        .isEqualTo(200);
            }
            assertThat(status(node, monitored().get("path").asString())).isEqualTo(200);
            assertThat(node.id()).isEqualTo("iocluster-0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka", "rabbit"})
    void aNodeListensForProbesAndDrainsWithinItsGracePeriod(String transport) throws Exception {
        NodeSettings settings = new SettingsLoader<>(NodeSettings.class, Map.of("POD_NAME", "iocluster-0"))
                .load(mount(transport))
                .settings();

        assertThat(settings.transport().wireName()).isEqualTo(transport);
        assertThat(settings.destinationDefaults().limits().ratePer())
                .as("the autoscaler must not multiply a rate")
                .isEqualTo(LimitScope.CLUSTER);
        assertThat(settings.admin().host()).isEqualTo("0.0.0.0");
        assertThat(settings.admin().token()).isNotEmpty();
        assertThat(container.at("/ports/0/containerPort").asInt())
                .isEqualTo(settings.admin().port());
        assertThat(Duration.ofSeconds(pod.get("terminationGracePeriodSeconds").asLong()))
                .isGreaterThanOrEqualTo(settings.shutdown().drainTimeout().plusSeconds(10));
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka", "rabbit"})
    void theStartupProbeWaitsForTheWarmUpAndAStartOnABusyMachine(String transport) throws Exception {
        Duration warmUp = new SettingsLoader<>(NodeSettings.class, Map.of("POD_NAME", "iocluster-0"))
                .load(mount(transport))
                .settings()
                .node()
                .warmUp();
        JsonNode probe = container.at("/startupProbe");

        assertThat(warmUp).isPositive();
        assertThat(Duration.ofSeconds(probe.get("periodSeconds").asLong()
                        * probe.get("failureThreshold").asLong()))
                .isGreaterThanOrEqualTo(warmUp.plusSeconds(30));
        // The admin server answers it during the warm-up, so a longer warm-up restarts no pod.
        assertThat(container.at("/livenessProbe/httpGet/path").asString()).isEqualTo("/livez");
    }

    @Test
    void everyPortMatchesTheContainer() {
        assertThat(Stream.of(
                                container.at("/startupProbe/httpGet/port"),
                                container.at("/livenessProbe/httpGet/port"),
                                container.at("/readinessProbe/httpGet/port"),
                                read("base/service.yaml").at("/spec/ports/0/targetPort"),
                                monitored().get("port"))
                        .map(JsonNode::asString))
                .containsOnly(container.at("/ports/0/name").asString());
    }

    @Test
    void everySelectorMatchesTheNodes() {
        JsonNode labels = deployment.at("/spec/template/metadata/labels");

        assertThat(labels).isNotEmpty();
        assertThat(Stream.of(
                        deployment.at("/spec/selector/matchLabels"),
                        pod.at("/topologySpreadConstraints/0/labelSelector/matchLabels"),
                        read("base/service.yaml").at("/spec/selector"),
                        read("base/poddisruptionbudget.yaml").at("/spec/selector/matchLabels"),
                        read("base/networkpolicy.yaml").at("/spec/podSelector/matchLabels"),
                        read("kafka/networkpolicy.yaml").at("/spec/podSelector/matchLabels"),
                        read("rabbit/networkpolicy.yaml").at("/spec/podSelector/matchLabels"),
                        read("base/podmonitor.yaml").at("/spec/selector/matchLabels")))
                .containsOnly(labels);
    }

    @Test
    void aNodeCannotReachLinkLocalAndClusterAddresses() {
        JsonNode targets = read("base/networkpolicy.yaml").at("/spec/egress/1/to");
        List<CidrBlock> open = blocks(targets.findValues("cidr").stream());
        List<CidrBlock> closed = blocks(targets.findValue("except").valueStream());

        for (String address : List.of(
                "169.254.169.254",
                "169.254.170.2",
                "10.0.0.1",
                "172.16.0.1",
                "192.168.0.1",
                "100.64.0.1",
                "127.0.0.1",
                "fd00:ec2::254",
                "fe80::1",
                "::1")) {
            byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address);
            assertThat(open.stream().anyMatch(block -> block.contains(bytes))
                            && closed.stream().noneMatch(block -> block.contains(bytes)))
                    .as(address)
                    .isFalse();
        }
    }

    @Test
    void onlyPrometheusReachesANode() {
        JsonNode policy = read("base/networkpolicy.yaml").get("spec");

        assertThat(policy.get("policyTypes").valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrder("Ingress", "Egress");
        assertThat(policy.get("ingress")).singleElement().satisfies(rule -> {
            assertThat(rule.get("from"))
                    .singleElement()
                    .satisfies(source -> assertThat(
                                    source.at("/namespaceSelector/matchLabels/kubernetes.io~1metadata.name")
                                            .asString())
                            .isEqualTo("monitoring"));
            assertThat(rule.get("ports").findValuesAsString("port"))
                    .containsExactly(container.at("/ports/0/name").asString());
        });
    }

    @ParameterizedTest
    @CsvSource({"kafka, 9092", "rabbit, 5671", "rabbit, 15671"})
    void aNodeReachesItsBroker(String transport, int port) throws IOException {
        JsonNode rule = read(transport + "/networkpolicy.yaml").at("/spec/egress/0");
        String namespace = rule.at("/to/0/namespaceSelector/matchLabels/kubernetes.io~1metadata.name")
                .asString();

        assertThat(rule.get("ports").findValues("port").stream().map(JsonNode::asInt))
                .contains(port);
        assertThat(Files.readString(MANIFESTS.resolve(transport + "/node.yaml")))
                .contains("." + namespace + ".svc:" + port);
    }

    @Test
    void theAutoscalerScalesTheDeploymentWithTheMetricsOfItsPodMonitor() {
        JsonNode scaled = read("autoscaling/scaledobject.yaml").get("spec");
        String job = read("kafka/kustomization.yaml").get("namespace").asString() + "/"
                + read("base/podmonitor.yaml").at("/metadata/name").asString();

        assertThat(scaled.at("/scaleTargetRef/name").asString())
                .isEqualTo(deployment.at("/metadata/name").asString());
        assertThat(scaled.at("/triggers/0/metadata/query").asString()).contains("job=\"" + job + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "autoscaling", "kafka", "rabbit"})
    void everyReferencedFileExists(String folder) {
        JsonNode kustomization = read(folder + "/kustomization.yaml");

        assertThat(Stream.of("/resources", "/components", "/configMapGenerator/0/files")
                        .flatMap(list -> kustomization.at(list).valueStream()))
                .isNotEmpty()
                .allMatch(file -> Files.exists(MANIFESTS.resolve(folder).resolve(file.asString())));
    }

    @Test
    void everySecretFileIsDocumented() throws IOException {
        assertThat(found(LITERAL, Files.readString(PROJECT.resolve("docs/operations/kubernetes.md"))))
                .containsAll(found(SECRET, Files.readString(MANIFESTS.resolve("kafka/node.yaml"))))
                .containsAll(found(SECRET, Files.readString(MANIFESTS.resolve("rabbit/node.yaml"))));
    }

    @Test
    void theMemoryLimitFitsTheHeapFromTheStartAndAllOtherMemory() throws IOException {
        String options = Files.readString(PROJECT.resolve("iocluster-dist/src/dist/conf/jvm.options"));
        int heap = Integer.parseInt(found(HEAP, options).get(0));
        int direct = Integer.parseInt(found(DIRECT, options).get(0));
        String limit = container.at("/resources/limits/memory").asString();

        assertThat(limit).matches("\\d+Mi");
        assertThat(Integer.parseInt(limit.replace("Mi", "")))
                .isGreaterThanOrEqualTo(heap + direct + 256)
                .isGreaterThanOrEqualTo(heap * 3 / 2);
        assertThat(found(MIN_HEAP, options)).isEqualTo(found(HEAP, options)).hasSize(1);
        assertThat(options).contains("\n-XX:+AlwaysPreTouch\n");
    }

    /** Writes the files as the pod sees them, with a secret in each file that the configuration references. */
    private Path mount(String transport) throws IOException {
        Map<String, String> paths = container
                .get("volumeMounts")
                .valueStream()
                .collect(Collectors.toMap(
                        mount -> mount.get("name").asString(),
                        mount -> mount.get("mountPath").asString()));
        Path config = Files.createDirectories(root.resolve("." + paths.get("config")));
        Path secret = Files.createDirectories(root.resolve("." + paths.get("secret")));
        String yaml = Files.readString(MANIFESTS.resolve(transport + "/node.yaml"));
        Files.writeString(config.resolve("node.yaml"), yaml);
        for (String file : found(SECRET, yaml)) {
            Files.writeString(secret.resolve(file), SECRETS.getOrDefault(file, "s3cr3t") + "\n");
        }
        return root.resolve("." + container.at("/args/2").asString());
    }

    private JsonNode monitored() {
        return read("base/podmonitor.yaml").at("/spec/podMetricsEndpoints/0");
    }

    private static List<CidrBlock> blocks(Stream<JsonNode> networks) {
        return networks.map(network -> CidrBlock.parse(network.asString())).toList();
    }

    private static JsonNode read(String file) {
        return YAML.readTree(MANIFESTS.resolve(file));
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .distinct()
                .toList();
    }

    private static int status(Node node, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + node.adminAddress().getPort() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                .statusCode();
    }
}
