package io.iocluster.node.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.MemoryPipelines;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.runtime.Node;
import io.iocluster.settings.DurationText;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.process.FreePorts;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Tests the image and the compose files in {@code docker} against the node's settings. */
class ContainersTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", ".")).resolve("..");
    private static final Path DOCKER = PROJECT.resolve("docker");
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Pattern PINNED = Pattern.compile("[a-z/-]+:v?\\d+(\\.\\d+)+[\\w.-]*");

    private final List<String> dockerfile = lines("Dockerfile");

    @ParameterizedTest
    @ValueSource(strings = {"kafka", "rabbit"})
    void aComposeNodeReadsItsConfigurationAndIsReachable(String transport) {
        JsonNode services = services(transport);
        NodeSettings settings = settings(transport).settings();

        assertThat(settings.transport().wireName()).isEqualTo(transport);
        assertThat(settings.admin().host()).isEqualTo("0.0.0.0");
        assertThat(texts(services.at("/node/ports")))
                .containsExactly("127.0.0.1:8080-8089:" + settings.admin().port());
        assertThat(DurationText.parse(services.at("/node/stop_grace_period").asString()))
                .isGreaterThanOrEqualTo(settings.shutdown().drainTimeout().plusSeconds(10));
        assertThat(Files.exists(
                        mounted(services.get("node"), imageConfiguration().getParent())
                                .resolve(imageConfiguration().getFileName())))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka", "rabbit"})
    void aNodeReachesTheBrokerByItsServiceNameAndMayCallTheTarget(String transport) {
        JsonNode compose = read("compose." + transport + ".yaml");
        String broker = transport.equals("kafka") ? "kafka" : "rabbitmq";
        NodeSettings settings = settings(transport).settings();

        String address = transport.equals("kafka")
                ? settings.kafka().bootstrapServers()
                : settings.rabbit().uris().get(0).toString();
        assertThat(address).contains(broker + ":");
        assertThat(texts(compose.at("/services/node/depends_on"))).containsExactly(broker);
        assertThat(settings.egress().allowNetworks())
                .containsExactly(
                        compose.at("/networks/default/ipam/config/0/subnet").asString());
    }

    @Test
    void kafkaAdvertisesTheAddressThatNodesUse() {
        assertThat(services("kafka")
                        .at("/kafka/environment/KAFKA_ADVERTISED_LISTENERS")
                        .asString())
                .contains("://" + settings("kafka").settings().kafka().bootstrapServers() + ",");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka", "rabbit"})
    void imagesArePinnedAndPortsAreBoundToLoopback(String transport) {
        services(transport).properties().forEach(service -> {
            String image = service.getValue().get("image").asString();
            if (!service.getValue().has("build")) {
                assertThat(image).matches(PINNED);
            }
            assertThat(texts(service.getValue().path("ports"))).allMatch(port -> port.startsWith("127.0.0.1:"));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka", "rabbit"})
    void everyMountedConfigurationDashboardAndAlertExists(String transport) {
        List<String> files = mountedFiles(transport).toList();

        assertThat(files).hasSizeGreaterThan(2).allMatch(source -> Files.exists(DOCKER.resolve(source)));
        assertThat(files).filteredOn(source -> source.startsWith("./config")).hasSize(2);
    }

    @Test
    void theNodesContainerHasNoPrivileges() {
        JsonNode node = services("kafka").get("node");

        assertThat(node.get("read_only").asBoolean()).isTrue();
        assertThat(texts(node.get("cap_drop"))).containsExactly("ALL");
        assertThat(texts(node.get("security_opt"))).containsExactly("no-new-privileges:true");
        assertThat(instruction("USER")).matches("[1-9]\\d*:[1-9]\\d*");
    }

    @Test
    void theImageUsesPinnedBasesAndExistingFiles() {
        assertThat(instructions("FROM").map(line -> before(' ', line)))
                .hasSize(2)
                .allMatch(PINNED.asMatchPredicate());
        assertThat(instructions("COPY")
                        .filter(line -> !line.startsWith("--from"))
                        .map(line -> before(' ', line)))
                .isNotEmpty()
                .allMatch(source -> Files.exists(PROJECT.resolve(source)));
    }

    @Test
    void theImageCreatesItsAotCacheWithAScriptOfTheDistribution() throws IOException {
        assertThat(instructions("RUN")).contains("/opt/iocluster/bin/aot-cache");
        assertThat(Files.isExecutable(PROJECT.resolve("bin/aot-cache"))).isTrue();
        assertThat(Files.readString(PROJECT.resolve("iocluster-dist/src/assembly/distribution.xml")))
                .contains("<include>aot-cache</include>", "<include>aot-cache.sh</include>");
    }

    @Test
    void theImageHasTheLoadTestsButNotTheBrokerOfTheDemo() throws IOException {
        String assembly = Files.readString(PROJECT.resolve("iocluster-dist/src/assembly/distribution.xml"));
        int load = assembly.indexOf("<outputDirectory>lib/load</outputDirectory>");
        int demo = assembly.indexOf("<outputDirectory>lib/demo</outputDirectory>");

        assertThat(assembly.substring(load, demo)).contains("<include>io.iocluster:iocluster-lab</include>");
        assertThat(Files.readString(DOCKER.resolve("Dockerfile")))
                .contains("rm -r /opt/iocluster/lib/demo ")
                .doesNotContain("lib/load");
    }

    @Test
    void aBuildRefusesDownloadsWithAWrongChecksum() throws IOException {
        assertThat(Files.readAllLines(PROJECT.resolve(".mvn/maven.config"))).contains("--strict-checksums");
        // The image is built with the same setting.
        assertThat(Files.readAllLines(PROJECT.resolve(".dockerignore"))).contains("!.mvn");
    }

    @Test
    void theImageIsBuiltFromEverySource() throws IOException {
        List<String> excluded = Files.readAllLines(PROJECT.resolve(".dockerignore")).stream()
                .filter(line -> line.startsWith("**/"))
                .map(line -> line.substring("**/".length()))
                .toList();

        for (String module : List.of("iocluster-core", "iocluster-testkit", "iocluster-lab")) {
            try (Stream<Path> sources = Files.walk(PROJECT.resolve(module).resolve("src/main"))) {
                assertThat(sources.map(source -> source.getFileName().toString()))
                        .doesNotContainAnyElementsOf(excluded);
            }
        }
    }

    @Test
    void theNodeReceivesSignalsBecauseNoShellIsBetween() throws IOException {
        assertThat(instruction("ENTRYPOINT")).isEqualTo("[\"/opt/iocluster/bin/iocluster\"]");
        assertThat(Files.readString(PROJECT.resolve("bin/iocluster"))).contains("\nexec \"$JAVA_HOME/bin/java\"");
    }

    @Test
    void theHealthCheckPassesOnlyForARunningNode() throws Exception {
        checkHealth("");
    }

    @Test
    void theHealthCheckPassesOnlyForARunningNodeWithTls(@TempDir Path folder) throws Exception {
        X509Bundle certificate = new CertificateBuilder()
                .ecp256()
                .subject("CN=node-1")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Path chain = Files.writeString(folder.resolve("admin.pem"), certificate.getCertificatePEM());
        Path key = Files.writeString(folder.resolve("admin.key"), certificate.getPrivateKeyPEM());

        checkHealth("admin: {tls: {certificate: '%s', key: '%s'}}".formatted(chain, key));
    }

    private static void checkHealth(String yaml) throws Exception {
        int port = FreePorts.find(1)[0];
        LoadedSettings<NodeSettings> settings = new SettingsLoader<>(
                        NodeSettings.class,
                        Map.of("IOCLUSTER_ADMIN_PORT", Integer.toString(port), "IOCLUSTER_NODE_WARM_UP", "0s"))
                .load(yaml, DOCKER);

        try (Node node = Node.start(settings, MemoryPipelines.alone(new MemoryBroker()))) {
            assertThat(healthCheck(node.adminAddress().getPort())).isZero();
        }
        assertThat(healthCheck(port)).isNotZero();
    }

    @Test
    void prometheusScrapesTheNodes() {
        JsonNode scrape = read("config/prometheus.yaml").at("/scrape_configs/0/dns_sd_configs/0");

        assertThat(texts(scrape.get("names"))).containsExactly("node");
        assertThat(scrape.get("port").asInt())
                .isEqualTo(settings("kafka").settings().admin().port());
    }

    private static LoadedSettings<NodeSettings> settings(String transport) {
        return new SettingsLoader<>(NodeSettings.class, Map.of("ADMIN_TOKEN", "t0ken", "RABBIT_PASSWORD", "pa55"))
                .load(DOCKER.resolve("config/" + transport + "/node.yaml"));
    }

    private static Stream<String> mountedFiles(String transport) {
        return services(transport)
                .valueStream()
                .flatMap(service -> texts(service.path("volumes")).stream())
                .map(volume -> before(':', volume))
                .filter(source -> source.startsWith("."));
    }

    /** Returns the services of a compose file, merged with the services that they extend. */
    private static ObjectNode services(String transport) {
        ObjectNode services =
                (ObjectNode) read("compose." + transport + ".yaml").get("services");
        services.properties().forEach(service -> {
            JsonNode extended = service.getValue().path("extends");
            if (!extended.isMissingNode()) {
                ObjectNode whole = (ObjectNode) read(extended.get("file").asString())
                        .at("/services/" + extended.get("service").asString());
                whole.setAll((ObjectNode) service.getValue());
                service.setValue(whole);
            }
        });
        return services;
    }

    /** Returns the path of the configuration in the image. */
    private Path imageConfiguration() {
        return Path.of(YAML.readTree(instruction("CMD")).get(2).asString());
    }

    private static Path mounted(JsonNode service, Path folder) {
        return texts(service.get("volumes")).stream()
                .filter(volume -> volume.contains(":" + folder + ":"))
                .map(volume -> DOCKER.resolve(before(':', volume)))
                .findFirst()
                .orElseThrow();
    }

    private static String before(char separator, String text) {
        int end = text.indexOf(separator);
        return end < 0 ? text : text.substring(0, end);
    }

    private String instruction(String name) {
        return instructions(name).reduce((earlier, later) -> later).orElseThrow();
    }

    private Stream<String> instructions(String name) {
        return dockerfile.stream()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length() + 1).trim());
    }

    private static int healthCheck(int port) throws Exception {
        ProcessBuilder check = new ProcessBuilder(
                        "bash", DOCKER.resolve("healthcheck").toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        check.environment().put("IOCLUSTER_ADMIN_PORT", Integer.toString(port));
        return check.start().waitFor();
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).toList();
    }

    private static JsonNode read(String file) {
        return YAML.readTree(DOCKER.resolve(file));
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(DOCKER.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
