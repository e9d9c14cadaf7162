package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.QueueFullPolicy;
import io.iocluster.http.ProxySettings;
import io.iocluster.node.config.binding.EffectiveSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoading;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the connection settings of destinations, and which settings come from other sections. */
class DestinationProfileTest {

    @Test
    void inheritsUnsetKeysFromTheDefaultsAndTheSections() {
        NodeSettings settings = SettingsLoading.node("""
                http: {connect-timeout: 1s, http2: false}
                destination-defaults: {compression: true, proxy: {type: http, host: proxy.example, port: 3128}}
                destinations: [{match: a.example, http2: true, proxy: {type: none, host: ""}}, {match: b.example}]
                """);

        DestinationPolicy first = settings.destinations().get(0).policy();
        assertThat(first.connections().connectTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(first.connections().http2()).isTrue();
        assertThat(first.connections().compression()).isTrue();
        assertThat(first.connections().proxy().type()).isEqualTo(ProxySettings.Type.NONE);
        assertThat(settings.destinations().get(1).policy().httpProfile())
                .isEqualTo(settings.destinationDefaults().httpProfile());
        assertThat(settings.destinationDefaults().connections().http2()).isFalse();
        assertThat(settings.destinationDefaults().connections().proxy().port()).isEqualTo(3128);
    }

    @Test
    void doesNotShowPasswords() {
        LoadedSettings<NodeSettings> loaded = SettingsLoading.load(NodeSettings.class, """
                destination-defaults: {proxy: {type: socks5, host: proxy.example, port: 1080, username: jo, password: s3cr3t}}
                destinations: [{match: a.example, proxy: {password: s3cr3t}}, {match: b.example}]
                """, Map.of());

        assertThat(new EffectiveSettings(loaded).yaml())
                .doesNotContain("s3cr3t")
                .contains("username: jo");
        assertThat(loaded.settings().toString()).doesNotContain("s3cr3t");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "connect-timeout: 0s; 'connect-timeout must be positive: 0s'",
                "proxy: {type: http, port: 1}; 'proxy.host must be set if type is set'",
                "proxy: {host: h}; 'proxy.type must be set if host is set'",
                "proxy: {type: http, host: βόλος.test, port: 1};"
                        + " 'proxy.host must be ASCII; write a name beyond it as xn--…: βόλος.test'",
                "proxy: {type: http, host: h}; 'proxy.port must be from 1 to 65535: 0'",
                "proxy: {type: socks5, host: h, port: 65536}; 'proxy.port must be from 1 to 65535: 65536'",
                "proxy: {type: http, host: h, port: 1, password: p}; 'proxy.username must be set if password is set'",
                "proxy: {type: ftp}; 'proxy.type must be one of none, http, socks5: ftp'",
                "tls: {ca: /no/such}; 'tls.ca cannot be read: /no/such'",
                "tls: {key-password: p}; tls.key-password must not be set without key",
                "compression: gzip; 'compression must be true or false: gzip'"
            })
    void reportsEachError(String yaml, String error) {
        assertThat(SettingsLoading.errors("destinations: [{match: a.example, " + yaml + "}]"))
                .contains("destinations[0]." + error);
    }

    @Test
    void rejectsWhenFullDelayIfDelayedRetriesAreDisabled() {
        String delay = "destination-defaults: {when-full: delay}\n";

        NodeSettings kafka = SettingsLoading.node(delay + "kafka: {delayed: {enabled: true}}");
        NodeSettings rabbit = SettingsLoading.node(delay + "transport: rabbit\nrabbit: {delayed: {enabled: true}}");

        assertThat(kafka.destinationDefaults().whenFull()).isEqualTo(QueueFullPolicy.DELAY);
        assertThat(rabbit.destinationDefaults().whenFull()).isEqualTo(QueueFullPolicy.DELAY);
        assertThatThrownBy(() -> SettingsLoading.node(delay + "rabbit: {delayed: {enabled: true}}"))
                .hasMessageContaining(
                        "destination-defaults.when-full must not be delay because kafka.delayed.enabled is false");
        assertThatThrownBy(() -> SettingsLoading.node("destinations: [{match: a.example, when-full: delay}]"))
                .hasMessageContaining("destinations[0].when-full");
    }

    @Test
    void destinationsInheritUnsetKeysFromTheDefaultsAndTheSections() {
        NodeSettings settings = SettingsLoading.node("""
            http: {timeout: 2s, deadline: 9s}
            retry: {max-attempts: 7}
            destination-defaults: {deadline: 5s, retry: {base-delay: 50ms}, breaker: {half-open-calls: 2}}
            destinations: [{match: "a.example", retry: {max-attempts: 4}}, {match: [b.example, "*.b.example"]}]
            """);

        DestinationPolicy first = settings.destinations().get(0).policy();
        assertThat(first.timeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(first.deadline()).isEqualTo(Duration.ofSeconds(5));
        assertThat(first.retry().maxAttempts()).isEqualTo(4);
        assertThat(first.retry().baseDelay()).isEqualTo(Duration.ofMillis(50));
        assertThat(first.breaker().halfOpenCalls()).isEqualTo(2);
        assertThat(settings.destinations().get(1).policy()).isEqualTo(settings.destinationDefaults());
        assertThat(settings.destinations()).extracting("name").containsExactly("a.example", "b.example");
        assertThat(settings.destinationDefaults().retry().maxAttempts()).isEqualTo(7);
    }
}
