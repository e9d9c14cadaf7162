package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DoorWarningsTest {

    private static final String TOKEN = "0123456789abcdef";

    @Test
    void tokensWithoutTlsAreOnlySafeOnLoopback() {
        String app = "apps: [{name: shop, token: " + TOKEN + "}]";

        assertThat(warnings("door: {host: 0.0.0.0, " + app + "}"))
                .containsExactly(
                        "callers send tokens without encryption; set door.tls, or set door.host to a loopback address");
        assertThat(warnings("door: {" + app + "}")).isEmpty();
    }

    @Test
    void anAppWithoutATokenCannotUseADoorWithTokens() {
        assertThat(warnings("door: {apps: [{name: shop, token: " + TOKEN + "}, {name: billing}]}"))
                .singleElement()
                .asString()
                .startsWith("app billing cannot use the door, because it has no token");
        assertThat(warnings("door: {apps: [{name: billing}]}")).isEmpty();
    }

    @Test
    void aShortTokenIsEasyToGuess() {
        assertThat(warnings("door: {apps: [{name: shop, token: 0123456789abcde}]}"))
                .singleElement()
                .asString()
                .startsWith("the token of app shop is easy to guess")
                .doesNotContain("0123456789abcde");
    }

    @Test
    void aLocalDoorHasNeitherDividedLimitsNorDelayedRetries() {
        String yaml = """
                kafka: {delayed: {enabled: true}}
                cluster: {enabled: true}
                destinations:
                - {match: [a.example], rate: 5/s, rate-per: cluster}
                - {match: [b.example], when-full: delay}
                door: {transport: %s}
                """;

        assertThat(warnings(yaml.formatted("local")))
                .hasSize(3)
                .anyMatch(each -> each.startsWith("max-in-flight-per and rate-per have no effect"))
                .anyMatch(each -> each.startsWith("delayed.enabled has no effect"))
                .anyMatch(each -> each.startsWith("when-full: delay of destination b.example has no effect"));
        assertThat(warnings(yaml.formatted("queue"))).isEmpty();
    }

    private static List<String> warnings(String yaml) {
        NodeSettings settings = new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(yaml, Path.of("."))
                .settings();
        return DoorWarnings.of(settings);
    }
}
