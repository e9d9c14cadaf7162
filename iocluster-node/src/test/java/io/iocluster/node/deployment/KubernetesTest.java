package io.iocluster.node.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.policy.LimitScope;
import io.iocluster.node.ColdNode;
import io.iocluster.node.MemoryPipelines;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.runtime.Node;
import io.iocluster.node.tls.PrivateAuthority;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.process.RenderedChart;
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
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Tests what the Helm chart renders against the settings of nodes and doors. {@code bin/chart} tests the rest. */
class KubernetesTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", ".")).resolve("..");
    private static final Pattern SECRET =
            Pattern.compile("(?:\\$\\{file:\\.\\./secret/|/etc/iocluster/secret/)([-._a-zA-Z0-9]+)");
    private static final Pattern MIN_HEAP = Pattern.compile("(?m)^-Xms(\\d+)m$");
    private static final Pattern HEAP = Pattern.compile("(?m)^-Xmx(\\d+)m$");
    private static final Pattern DIRECT = Pattern.compile("(?m)^-XX:MaxDirectMemorySize=(\\d+)m$");
    private static final YAMLMapper YAML = new YAMLMapper();

    @TempDir
    Path root;

    private final JsonNode pod = read("kafka", "Deployment-iocluster").at("/spec/template/spec");
    private final JsonNode container = pod.at("/containers/0");

    @ParameterizedTest
    @CsvSource({"kafka, iocluster", "rabbit, calls-iocluster"})
    void aNodeStartsWithTheMountedFilesAndAnswersItsProbes(String example, String name) throws Exception {
        Map<String, String> environment = new HashMap<>(ColdNode.ENVIRONMENT);
        environment.putAll(
                Map.of("POD_NAME", "iocluster-0", "IOCLUSTER_ADMIN_HOST", "127.0.0.1", "IOCLUSTER_ADMIN_PORT", "0"));
        LoadedSettings<NodeSettings> settings =
                new SettingsLoader<>(NodeSettings.class, environment).load(mount(example, name, "node.yaml"));

        try (Node node = Node.start(settings, MemoryPipelines.alone(new MemoryBroker()))) {
            for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                assertThat(status(
                                node,
                                container.at("/" + probe + "/httpGet/path").asString()))
                        .as(probe)
                        .isEqualTo(200);
            }
            assertThat(status(
                            node,
                            read("kafka-sasl-tls", "PodMonitor-calls-iocluster")
                                    .at("/spec/podMetricsEndpoints/0/path")
                                    .asString()))
                    .isEqualTo(200);
            assertThat(node.id()).isEqualTo("iocluster-0");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "kafka, iocluster, node.yaml",
        "kafka-external, iocluster, node.yaml",
        "kafka-sasl-plaintext, iocluster, node.yaml",
        "rabbit, calls-iocluster, node.yaml",
        "rabbit-tls, rabbit-calls-iocluster, node.yaml",
        "rabbit-uris-from-a-secret, iocluster, node.yaml",
        "overrides, iocluster, node.yaml",
        "door, iocluster, node.yaml",
        "door, iocluster-door, door.yaml",
        "door-rabbit, calls-iocluster, node.yaml",
        "door-rabbit, calls-iocluster-door, door.yaml",
        "door-local, door-iocluster-door, door.yaml",
        "door-spool, door-iocluster-door, door.yaml",
        "sidecar, doors-iocluster-sidecar, door.yaml",
        "sidecar-queue, doors-iocluster-sidecar, door.yaml",
        "load-rabbit, load-iocluster-load, node.yaml"
    })
    void theConfigurationIsValidAndTheComponentHasTimeToStop(String example, String name, String file)
            throws Exception {
        NodeSettings settings = load(example, name, file);

        for (String kind : List.of("Deployment-", "StatefulSet-")) {
            Path workload = RenderedChart.folder(example).resolve(kind + name + ".yaml");
            if (Files.exists(workload)) {
                JsonNode spec = YAML.readTree(workload).at("/spec/template/spec");
                assertThat(Duration.ofSeconds(
                                spec.get("terminationGracePeriodSeconds").asLong()))
                        .isGreaterThanOrEqualTo(
                                settings.shutdown().drainTimeout().plusSeconds(10));
            }
        }
    }

    @Test
    void aNodeListensForProbesAndItsLimitsAreThoseOfTheCluster() throws Exception {
        NodeSettings settings = load("kafka", "iocluster", "node.yaml");

        assertThat(settings.destinationDefaults().limits().ratePer())
                .as("the autoscaler must not multiply a rate")
                .isEqualTo(LimitScope.CLUSTER);
        assertThat(settings.admin().host()).isEqualTo("0.0.0.0");
        assertThat(settings.admin().token()).isNotEmpty();
        assertThat(container.at("/ports/0/containerPort").asInt())
                .isEqualTo(settings.admin().port());
    }

    @Test
    void largeNumbersOfTheValuesReachTheConfiguration() throws Exception {
        NodeSettings settings = load("overrides", "iocluster", "node.yaml");

        assertThat(settings.workers().maxInFlight()).isEqualTo(1_000_000);
        assertThat(settings.kafka().requests().topics()).containsExactly("a", "b");
    }

    @Test
    void aNodeAcceptsTheReplyQueuesOfDoors() throws Exception {
        assertThat(load("door-rabbit", "calls-iocluster", "node.yaml")
                        .rabbit()
                        .answers()
                        .replyTo())
                .containsExactly("iocluster.replies.*");
    }

    @ParameterizedTest
    @CsvSource({
        "kafka-sasl-tls, calls-iocluster, SASL_SSL, SCRAM-SHA-512",
        "kafka-client-certificate, iocluster, SSL,",
        "kafka-external, iocluster, SASL_SSL, PLAIN",
        "kafka-sasl-plaintext, iocluster, SASL_PLAINTEXT, SCRAM-SHA-256"
    })
    void aKafkaClientAcceptsThePropertiesForTlsAndSasl(String example, String name, String protocol, String mechanism)
            throws Exception {
        Map<String, String> properties =
                load(example, name, "node.yaml").kafka().properties();

        assertThat(properties).containsEntry("security.protocol", protocol);
        assertThat(properties.get("sasl.mechanism")).isEqualTo(mechanism);
        Map<String, Object> client = new HashMap<>(properties);
        client.put("bootstrap.servers", "127.0.0.1:1");
        // The constructor reads the certificates and logs in.
        Admin.create(client).close(Duration.ZERO);
    }

    @Test
    void theStartupProbeWaitsForTheWarmUpAndAStartOnABusyMachine() throws Exception {
        Duration warmUp = load("kafka", "iocluster", "node.yaml").node().warmUp();
        JsonNode probe = container.at("/startupProbe");

        assertThat(warmUp).isPositive();
        assertThat(Duration.ofSeconds(probe.get("periodSeconds").asLong()
                        * probe.get("failureThreshold").asLong()))
                .isGreaterThanOrEqualTo(warmUp.plusSeconds(30));
        // The admin server answers it during the warm-up, so a longer warm-up restarts no pod.
        assertThat(container.at("/livenessProbe/httpGet/path").asString()).isEqualTo("/livez");
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

    private NodeSettings load(String example, String name, String file) throws Exception {
        return new SettingsLoader<>(NodeSettings.class, Map.of("POD_NAME", "iocluster-0"))
                .load(mount(example, name, file))
                .settings();
    }

    /** Writes a configuration as the pod sees it, with a secret in each file that it names. Returns its path. */
    private Path mount(String example, String name, String file) throws Exception {
        String yaml = read(example, "ConfigMap-" + name).at("/data").get(file).asString();
        Path config = Files.createDirectories(root.resolve("config"));
        Path secret = Files.createDirectories(root.resolve("secret"));
        PrivateAuthority authority = new PrivateAuthority("CN=authority");
        authority.issueTo(root, "user", "CN=user");
        for (String needed : found(SECRET, yaml)) {
            String content = switch (needed) {
                case "ca.crt", "kafka-ca.crt" -> authority.bundle().getCertificatePEM();
                case "user.crt", "tls.crt" -> Files.readString(root.resolve("user.pem"));
                case "user.key", "tls.key" -> Files.readString(root.resolve("user.key"));
                case "rabbit-uri" -> "amqps://user:password@rabbitmq:5671/";
                case "rabbit-management-uri" -> "https://user:password@rabbitmq:15671";
                default -> "a-secret-of-" + needed.replaceAll("[^a-z]", "-");
            };
            Files.writeString(secret.resolve(needed), content + "\n");
        }
        return Files.writeString(config.resolve(file), yaml.replace("/etc/iocluster", root.toString()));
    }

    private static JsonNode read(String example, String object) {
        return YAML.readTree(RenderedChart.folder(example).resolve(object + ".yaml"));
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
