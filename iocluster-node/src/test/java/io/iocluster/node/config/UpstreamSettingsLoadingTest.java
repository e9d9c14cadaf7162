package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.settings.StatusPattern;
import io.iocluster.upstream.ConsulUpstreamSettings;
import io.iocluster.upstream.UpstreamSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the settings of upstreams. */
class UpstreamSettingsLoadingTest {

    @Test
    void thereAreNoUpstreamsByDefault() {
        NodeSettings settings = SettingsLoading.node("destinations: [{match: a.example}]");

        assertThat(settings.destinations().get(0).policy().upstreams()).isEqualTo(UpstreamSettings.DEFAULTS);
    }

    @Test
    void anEntryHasItsUpstreamsAndInheritsHowTheyAreEjected() {
        NodeSettings settings = SettingsLoading.node("""
                destination-defaults: {upstreams: {ejection: {time: 7s}}}
                destinations:
                  - {match: a.example, upstreams: {addresses: ["10.0.0.1:80", "b.example:81"]}}
                """);

        UpstreamSettings upstreams = settings.destinations().get(0).policy().upstreams();
        assertThat(upstreams.addresses()).containsExactly("10.0.0.1:80", "b.example:81");
        assertThat(upstreams.ejection().time()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void namesTheServicesToWatchInConsul() {
        NodeSettings settings = SettingsLoading.node("""
                config: {consul: {address: "http://127.0.0.1:8500"}}
                destinations:
                  - {match: a.example, upstreams: {consul: {service: orders, tag: v2, datacenter: dc-2}}}
                  - {match: b.example, upstreams: {consul: {service: orders, tag: v2, datacenter: dc-2}}}
                  - {match: c.example}
                """);

        assertThat(settings.consulServices()).containsExactly(new ConsulUpstreamSettings("orders", "v2", "dc-2"));
    }

    @Test
    void aHealthCheckMayNameAHostThatAPatternMatches() {
        NodeSettings settings = SettingsLoading.node("""
                destinations:
                  - match: ["*.a.example"]
                    upstreams: {dns: "b.example:80", health-check: {url: "https://x.a.example/health", statuses: [200, 3xx]}}
                """);

        UpstreamSettings upstreams = settings.destinations().get(0).policy().upstreams();
        assertThat(upstreams.healthCheck().target().destination()).isEqualTo("x.a.example:443");
        assertThat(upstreams.healthCheck().statuses())
                .containsExactly(StatusPattern.parse("200"), StatusPattern.parse("3xx"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            destination-defaults: {upstreams: {addresses: ["b.example:80"]}}; destination-defaults.upstreams
            destination-defaults: {upstreams: {dns: "b.example:80"}}; destination-defaults.upstreams
            destinations: [{match: a.example, upstreams: {addresses: [b.example]}}]; upstreams.addresses[0]
            destinations: [{match: ["[::1]"], upstreams: {addresses: ["b.example:80"]}}]; upstreams
            destination-defaults: {upstreams: {health-check: {url: "http://b.example/"}}}; destination-defaults.upstreams
            destinations: [{match: a.example, upstreams: {consul: {service: a}}}]; upstreams.consul.service
            destinations: [{match: a.example, upstreams: {health-check: {url: "http://b.example/"}}}]; upstreams.health-check.url
            destinations: [{match: a.example, upstreams: {dns: "b.example:80", srv: _a._tcp.b.example}}]; upstreams.srv
            destinations: [{match: a.example, proxy: {type: http, host: p.example, port: 1}, upstreams: {dns: "b.example:80"}}]; upstreams
            """)
    void namesTheKeyOfAWrongSetting(String yaml, String key) {
        assertThatThrownBy(() -> SettingsLoading.node(yaml)).hasMessageContaining(key);
    }
}
