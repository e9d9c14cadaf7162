package io.iocluster.node.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.cli.SchemaCommand;
import io.iocluster.node.config.NodeSettings;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Tests the JSON Schema of the configuration with all configurations of the project. */
class NodeSchemaTest {

    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Path FILE = Schemas.FOLDER.resolve("node.schema.json");
    private static final Path PROJECT = Schemas.FOLDER.resolve("../..").normalize();
    private static final Set<String> SKIPPED_FOLDERS = Set.of("target", ".git", "venv", "node_modules", "charts");

    /** Has values of the Helm chart, which have a schema of the chart. */
    private static final String CHART_PAGE = "kubernetes.md";

    private static final Pattern YAML_BLOCK = Pattern.compile("(?ms)^( *)```yaml\\n(.*?)^ *```$");
    private static final Set<String> SECTIONS = Arrays.stream(NodeSettings.class.getRecordComponents())
            .map(component -> component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());

    private final Schemas schema = Schemas.node();

    @Test
    void theFileIsTheSchemaOfTheRecords() throws IOException {
        if (Boolean.getBoolean("update-docs")) {
            Files.writeString(FILE, SchemaCommand.schema());
        }

        assertThat(FILE).hasContent(SchemaCommand.schema());
    }

    @Test
    void acceptsEveryConfigurationOfTheProject() throws IOException {
        Map<String, JsonNode> configurations = configurations();

        assertThat(configurations.keySet())
                .contains(
                        "iocluster-dist/src/dist/conf/node.yaml",
                        "docker/config/door/door.yaml",
                        "iocluster-node/src/test/resources/io/iocluster/node/config/every-section.yaml",
                        "examples/switch-queues/rabbit.yaml",
                        "docs/quick-start.md, block 1");
        assertThat(configurations)
                .allSatisfy((name, tree) ->
                        assertThat(schema.problems(tree)).as(name).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{workers: {max-in-flight: ${SLOTS:300}}}",
                "{workers: {max-in-flight: '300'}, http: {timeout: '${SECONDS}s', max-response-body: 1048576}}",
                "{retry: {statuses: 500}, egress: {ports: '80, 443', schemes: '[http]'}}",
                "{apps: , egress: , http: {deadline: }}",
                "{kafka: {properties: {a: 1, b: true}}}",
            })
    void acceptsWhatTheBinderAccepts(String yaml) {
        assertThat(schema.problems(YAML.readTree(yaml.replace("${SLOTS:300}", "'${SLOTS:300}'"))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{worker: {threads: 1}}",
                "{workers: {thread: 1}}",
                "{workers: {threads: many}}",
                "{http: {timeout: 10}}",
                "{http: {max-response-body: 1 MB}}",
                "{transport: kafkas}",
                "{destinations: {match: [a]}}",
                "{destinations: [{match: [a], rate: 10}]}",
                "{tuning: [auto]}",
            })
    void refusesMistakes(String yaml) {
        assertThat(schema.problems(YAML.readTree(yaml))).isNotEmpty();
    }

    /** Returns the configurations in files and in blocks of pages, by their names. */
    private static Map<String, JsonNode> configurations() throws IOException {
        Map<String, JsonNode> found = new LinkedHashMap<>();
        for (Path file : files()) {
            String name = PROJECT.relativize(file).toString();
            String text = Files.readString(file);
            if (name.endsWith(".yaml")) {
                add(found, name, text);
            } else {
                List<String> blocks = blocks(text);
                for (int i = 0; i < blocks.size(); i++) {
                    add(found, name + ", block " + (i + 1), blocks.get(i));
                }
            }
        }
        return found;
    }

    private static List<String> blocks(String page) {
        List<String> blocks = new ArrayList<>();
        Matcher matcher = YAML_BLOCK.matcher(page);
        while (matcher.find()) {
            blocks.add(matcher.group(2));
        }
        return blocks;
    }

    private static void add(Map<String, JsonNode> found, String name, String text) {
        JsonNode tree = YAML.readTree(text);
        // An experiment of the load tests has a key `metrics` too.
        if (tree.isObject()
                && !tree.has("system")
                && tree.propertyNames().stream().anyMatch(SECTIONS::contains)) {
            found.put(name, tree);
        }
    }

    private static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(PROJECT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED_FOLDERS.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                if (name.endsWith(".md") && !name.equals(CHART_PAGE)
                        || (name.endsWith(".yaml") && !name.startsWith("values"))) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }
}
