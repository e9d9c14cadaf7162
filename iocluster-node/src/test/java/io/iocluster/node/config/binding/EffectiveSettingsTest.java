package io.iocluster.node.config.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.NodeSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EffectiveSettingsTest {

    @Test
    void showsDefaultsAndSetValues() {
        assertThat(yaml("{delay: 1500ms, names: [], properties: {a: 'true'}}")).isEqualTo("""
                        text: some
                        count: 5
                        large-count: 6
                        part: 0.5
                        flag: true
                        delay: 1500ms
                        size: 1MiB
                        servers:
                          - amqp://h
                        word: by-key
                        names: []
                        numbers:
                          - 1
                        properties:
                          a: "true"
                        inner:
                          least: 1
                          most: 2
                          password: ""
                        several: []
                        """);
    }

    @Test
    void findsTheSecrets(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("s"), "from-file");
        LoadedSettings<NodeSettings> loaded = new SettingsLoader<>(NodeSettings.class, Map.of()).load("""
                transport: kafka
                kafka:
                  bootstrap-servers: "h:1"
                  properties: {sasl.jaas.config: of-kafka, ssl.keystore.key: of-key, client.rack: a, ssl.key.password: "${file:s}"}
                admin: {token: of-admin}
                credentials: {partner: {hosts: [h], headers: {X-Key: of-header}}}
                """, folder);

        assertThat(new EffectiveSettings(loaded).secrets())
                .containsExactlyInAnyOrder("of-kafka", "of-key", "from-file", "of-admin", "of-header");
    }

    @Test
    void loadsAsTheSameSettings() {
        String effective =
                yaml("{text: '0123', delay: 90s, size: 1536KiB, several: [{least: 3}], names: ['- x', '#']}");

        assertThat(yaml(effective)).isEqualTo(effective);
    }

    @Test
    void theDefaultConfigurationLoadsAgain() {
        String effective = nodeYaml("{}");

        assertThat(nodeYaml(effective)).isEqualTo(effective);
    }

    @Test
    void everySectionLoadsAgainWithItsSecretsHidden() throws IOException {
        String effective = nodeYaml(everySection());

        assertThat(effective)
                .doesNotContain("token: secret", "token: reader", "bearer: abc", "password: pw", ":pw@", "A: b", "C: d")
                .contains("token: \"***\"", "bearer: \"***\"", "password: \"***\"", "jo:***@");
        // The two tokens must differ.
        String withToken = effective.replace("read-only-token: \"***\"", "read-only-token: another");
        assertThat(nodeYaml(withToken)).isEqualTo(effective);
    }

    private static String everySection() throws IOException {
        try (InputStream yaml =
                EffectiveSettingsTest.class.getResourceAsStream("/io/iocluster/node/config/every-section.yaml")) {
            return new String(yaml.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void showsOnlyWhetherAHiddenMapOrListIsEmpty() {
        String effective = nodeYaml("""
                tracing: {headers: {X-S3cr3t: s3cr3t, X-Other: s3cr3t}}
                credentials:
                  partner: {hosts: [h.example], bearer: s3cr3t}
                """);

        assertThat(effective)
                .doesNotContain("s3cr3t", "S3cr3t", "X-Other")
                .contains("  headers:\n    \"***\": \"***\"\n", "    headers: {}\n", "      secrets: []\n");
        assertThat(nodeYaml(effective)).isEqualTo(effective);
    }

    private static String nodeYaml(String yaml) {
        return new EffectiveSettings(SettingsLoading.load(NodeSettings.class, yaml, Map.of())).yaml();
    }

    @Test
    void showsOnlyChangedSettings() {
        assertThat(changed("{}")).isEmpty();
        assertThat(changed("{count: 5, part: 0.5, inner: {least: 1}}")).isEmpty();
        assertThat(changed("{delay: 90s, count: 5, inner: {password: s3cr3t}, several: [{least: 3}, {}]}"))
                .isEqualTo("""
                        delay: 90s
                        inner:
                          password: "***"
                        several:
                          - least: 3
                          - {}
                        """);
    }

    @Test
    void showsOnlyWhatADestinationChangesAgainstTheDestinationDefaults() {
        String yaml = """
                destination-defaults: {max-in-flight: 7}
                destinations:
                  - {match: [a.example], max-in-flight: 7, max-waiting: 9}
                credentials: {a: {hosts: [a.example], bearer: s3cr3t}}
                """;

        String effective =
                new EffectiveSettings(SettingsLoading.load(NodeSettings.class, yaml, Map.of())).changedYaml();

        assertThat(effective).isEqualTo("""
                credentials:
                  a:
                    hosts:
                      - a.example
                    bearer: "***"
                destination-defaults:
                  max-in-flight: 7
                destinations:
                  - match:
                      - a.example
                    name: a.example
                    max-waiting: 9
                """);
        assertThat(SettingsLoading.node(effective))
                .usingRecursiveComparison()
                .ignoringFields("credentials")
                .isEqualTo(SettingsLoading.node(yaml));
    }

    @Test
    void hidesSecretsAtEveryLevel() {
        String effective = yaml("""
                inner: {password: s3cr3t}
                servers: ["amqp://guest:s3cr3t@h:5672/"]
                several: [{password: s3cr3t}]
                properties: {sasl.jaas.config: s3cr3t, ssl.key.password: s3cr3t, linger.ms: "5"}
                """);

        assertThat(effective)
                .doesNotContain("s3cr3t")
                .contains("- amqp://guest:***@h:5672")
                .contains("password: \"***\"", "sasl.jaas.config: \"***\"", "linger.ms: \"5\"");
    }

    @Test
    void hidesSecretsOfNamedEntries() {
        String effective = new EffectiveSettings(SettingsLoading.load(
                        SampleSettings.NamedSection.class, "named: {some.one: {password: s3cr3t, most: 5}}", Map.of()))
                .yaml();

        assertThat(effective).doesNotContain("s3cr3t").contains("some.one:", "most: 5", "password: \"***\"");
    }

    @Test
    void hidesValuesInheritedFromAHiddenValue(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("most"), "77");

        String effective = new EffectiveSettings(new SettingsLoader<>(SampleSettings.InheritingSection.class, Map.of())
                        .load("{inner: {most: \"${file:most}\", password: s3cr3t}, entries: [{least: 5}]}", folder))
                .yaml();

        assertThat(effective).doesNotContain("77", "s3cr3t").contains("least: 5");
    }

    @Test
    void anErrorDoesNotQuoteASecret() {
        assertThat(SettingsLoading.errors(
                        SampleSettings.class, "{inner: {password: abc}, several: [{password: xyz}]}", Map.of()))
                .containsExactlyInAnyOrder(
                        "inner.password must not have three letters",
                        "several[0].password must not have three letters");
    }

    @Test
    void returnsTheValuesOfKeysWithSecretsHidden() {
        EffectiveSettings settings = new EffectiveSettings(SettingsLoading.load(
                SampleSettings.class,
                "{count: 5, inner: {least: 2, password: s3cr3t}, several: [{least: 3}], properties: {a.b: x, a: y}}",
                Map.of()));

        assertThat(settings.values(List.of(
                                "count", "inner.password", "several[0].least", "several[1].least", "properties.a.b"))
                        .toString())
                .isEqualTo("{\"count\":5,\"inner.password\":\"***\",\"several[0].least\":3,"
                        + "\"several[1].least\":null,\"properties.a.b\":\"x\"}");
    }

    private static String yaml(String yaml) {
        return new EffectiveSettings(SettingsLoading.load(SampleSettings.class, yaml, Map.of())).yaml();
    }

    private static String changed(String yaml) {
        return new EffectiveSettings(SettingsLoading.load(SampleSettings.class, yaml, Map.of())).changedYaml();
    }
}
