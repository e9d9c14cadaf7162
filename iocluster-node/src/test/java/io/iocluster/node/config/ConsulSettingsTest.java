package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.binding.EffectiveSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsChange;
import io.iocluster.node.config.binding.SettingsLoading;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsulSettingsTest {

    @Test
    void doesNotShowTheToken() {
        LoadedSettings<NodeSettings> loaded = SettingsLoading.load(
                NodeSettings.class,
                "config: {consul: {address: 'http://127.0.0.1:8500', token: \"${TOKEN}\"}}",
                Map.of("TOKEN", "s3cr3t"));

        assertThat(loaded.settings().toString()).contains("127.0.0.1:8500").doesNotContain("s3cr3t");
        assertThat(new EffectiveSettings(loaded).yaml())
                .contains("token: \"***\"")
                .doesNotContain("s3cr3t");
    }

    @Test
    void aRunningNodeAppliesOnlyANewToken() {
        SettingsChange<NodeSettings> change = SettingsChange.between(
                SettingsLoading.node("config: {consul: {address: 'http://a:1', token: x, key: k}}"),
                SettingsLoading.node(
                        "config: {consul: {address: 'http://b:1', token: y, key: l, service: {tags: [a]}}}"));

        assertThat(change.appliedKeys()).containsExactly("config.consul.token");
        assertThat(change.restartKeys())
                .containsExactly("config.consul.address", "config.consul.key", "config.consul.service.tags");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "address: 127.0.0.1 | address must be a URL such as http://127.0.0.1:8500",
                "address: 'unix://a' | address must start with http:// or https://: unix://a",
                "address: 'http://a:b@c' | address must not contain a user; use token",
                "key: a | key requires an address",
                "address: 'http://a', key: /a | key must not start with a slash: /a",
                "token: 'a b' | token must be visible ASCII without spaces",
                "datacenter: 'a b' | datacenter must consist of up to 255 letters, digits, _ and -: a b",
                "query-wait: 999ms | query-wait must be from 1s to 10m: 999ms",
                "query-wait: 11m | query-wait must be from 1s to 10m: 11m",
                "min-interval: 0s | min-interval must be from 1ms to 1m: 0s",
                "timeout: 0s | timeout must be from 1ms to 1m: 0s",
                "timeout: 2m | timeout must be from 1ms to 1m: 2m",
                "max-instances: 0 | max-instances must be from 1 to 5000: 0",
                "base-delay: 0s | base-delay must be from 1ms to 1h: 0s",
                "max-delay: 999ms | max-delay must be from base-delay to 1h: 999ms",
                "startup-timeout: 0s | startup-timeout must be positive: 0s",
                "max-value-size: 0B | max-value-size must be from 1B to 64MiB: 0B",
                "service: {name: a_b} | service.name must be 1 to 63 letters, digits and dashes, with no dash at"
                        + " either end: a_b",
                "service: {address: 'a b'} | service.address must not contain spaces: a b",
                "service: {check: script} | service.check must be one of auto, http, ttl: script",
                "service: {check-interval: 49ms} | service.check-interval must be from 50ms to 7d: 49ms",
                "service: {check-timeout: 0s} | service.check-timeout must be positive: 0s",
                "service: {deregister-after: 59s} | service.deregister-after must be from 1m to 7d: 59s",
            })
    void reportsEachError(String consul, String error) {
        assertThat(SettingsLoading.errors("config: {consul: {" + consul + "}}"))
                .containsExactly("config.consul." + error);
    }
}
