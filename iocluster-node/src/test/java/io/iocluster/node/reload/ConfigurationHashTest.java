package io.iocluster.node.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationHashTest {

    private static final String KAFKA = "kafka: {properties: {security.protocol: SSL, linger.ms: '1'}}\n";

    @Test
    void isShortAndTheSameForTheSameConfiguration() {
        assertThat(hash(KAFKA)).isEqualTo(hash(KAFKA)).matches("[0-9a-f]{12}");
    }

    @Test
    void doesNotDependOnTheOrderOfKeys() {
        assertThat(hash("kafka: {properties: {linger.ms: '1', security.protocol: SSL}}"))
                .isEqualTo(hash(KAFKA));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node: {id: node-7}",
                "admin: {port: 0}",
                "config: {poll-interval: 3s}",
                "tracing: {resource-attributes: {pod: a}}",
                "metrics: {otlp: {resource-attributes: {pod: a}}}",
                "kafka: {properties: {group.instance.id: a, client.rack: b}}",
            })
    void leavesOutWhatBelongsToOneNode(String yaml) {
        assertThat(hash(yaml)).isEqualTo(hash(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "workers: {max-in-flight: 301}",
                "destinations: [{match: a.example}]",
                "kafka: {requests: {group: other}}",
                "kafka: {properties: {linger.ms: '1'}}",
            })
    void differsForAnotherConfiguration(String yaml) {
        assertThat(hash(yaml)).isNotEqualTo(hash(""));
    }

    @Test
    void doesNotRevealSecrets() {
        String one = "credentials: {a: {hosts: a.example, bearer: one}}";
        String two = "credentials: {a: {hosts: a.example, bearer: two}}";

        assertThat(hash(one)).isEqualTo(hash(two));
        assertThat(hash(one)).isNotEqualTo(hash(""));
    }

    private static String hash(String yaml) {
        return ConfigurationHash.of(
                new SettingsLoader<>(NodeSettings.class, Map.<String, String>of()).load(yaml, Path.of(".")));
    }
}
