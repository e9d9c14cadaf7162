package io.iocluster.node.config.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.NodeSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentOverridesTest {

    @Test
    void overridesAnyKeyOfTheFile() {
        NodeSettings settings = SettingsLoading.node(
                "{workers: {max-in-flight: 10, threads: 3}, admin: }",
                Map.of("IOCLUSTER_WORKERS_MAX_IN_FLIGHT", "600", "IOCLUSTER_ADMIN_PORT", "0"));

        assertThat(settings.workers().maxInFlight()).isEqualTo(600);
        assertThat(settings.workers().threads()).isEqualTo(3);
        assertThat(settings.admin().port()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8080, 8443", "[8080, 8443]", "8080,8443,"})
    void parsesListsWithCommasAndInFlowStyle(String list) {
        assertThat(SettingsLoading.node("", Map.of("IOCLUSTER_EGRESS_PORTS", list))
                        .egress()
                        .ports())
                .containsExactly(8080, 8443);
    }

    @Test
    void parsesMapsInFlowStyle() {
        SampleSettings settings = SettingsLoading.load(
                        SampleSettings.class, "", Map.of("IOCLUSTER_PROPERTIES", "{security.protocol: SSL}"))
                .settings();

        assertThat(settings.properties()).containsExactly(Map.entry("security.protocol", "SSL"));
    }

    @Test
    void doesNotInterpolateValues() {
        assertThat(SettingsLoading.load(SampleSettings.class, "", Map.of("IOCLUSTER_TEXT", "${X} $${Y}"))
                        .settings()
                        .text())
                .isEqualTo("${X} $${Y}");
    }

    @Test
    void ignoresErrorsInOverriddenValues() {
        assertThat(SettingsLoading.node("admin: {token: \"${UNSET}\"}", Map.of("IOCLUSTER_ADMIN_TOKEN", "t"))
                        .admin()
                        .token())
                .isEqualTo("t");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP_TIMEOUT | 0s | http.timeout must be positive: 0s (set by IOCLUSTER_HTTP_TIMEOUT)",
                "EGRESS_PORTS | 443,0 | egress.ports[1] must be from 1 to 65535: 0 (set by IOCLUSTER_EGRESS_PORTS)",
                "WORKERS_MAX_INFLIGHT | 1 | IOCLUSTER_WORKERS_MAX_INFLIGHT matches no known key;"
                        + " did you mean IOCLUSTER_WORKERS_MAX_IN_FLIGHT?",
            })
    void anErrorNamesTheVariable(String variable, String value, String error) {
        assertThat(SettingsLoading.errors(NodeSettings.class, "", Map.of("IOCLUSTER_" + variable, value)))
                .containsExactly(error);
    }

    @Test
    void ignoresErrorsInOverriddenEntries() {
        assertThat(SettingsLoading.node("egress: {ports: [\"${UNSET}\"]}", Map.of("IOCLUSTER_EGRESS_PORTS", "443"))
                        .egress()
                        .ports())
                .containsExactly(443);
    }

    @Test
    void ignoresOtherVariables() {
        Map<String, String> others = Map.of("IOCLUSTER_JAVA_OPTS", "-Xmx2g", "PATH", "/bin", "IOCLUSTER_WORKERS", "1");

        assertThat(SettingsLoading.node("", others)).isEqualTo(SettingsLoading.node(""));
    }
}
