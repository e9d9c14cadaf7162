package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.cache.shared.RedisSettings;
import io.iocluster.cache.shared.SharedCacheSettings;
import io.iocluster.http.TlsSettings;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.settings.DataSize;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests how the cache that nodes share is configured. */
class SharedCacheConfigurationTest {

    private static final String KEY = "a secret of more than thirty-two characters";

    @Test
    void bindsEveryKey() {
        NodeSettings settings = SettingsLoading.node("""
            shared-cache:
              redis: {url: "rediss://cache.example:6380/2", username: node, password: hidden}
              timeout: 5ms
              max-in-flight: 100
              max-value-bytes: 64KiB
              max-write-bytes: 1MiB
              prefix: "team:"
              hmac-key: %s
            """.formatted(KEY));

        SharedCacheSettings shared = settings.sharedCache();
        assertThat(shared)
                .isEqualTo(new SharedCacheSettings(
                        new RedisSettings("rediss://cache.example:6380/2", "node", "hidden", TlsSettings.DEFAULTS),
                        Duration.ofMillis(5),
                        100,
                        new DataSize(64 * 1024),
                        DataSize.ofMebibytes(1),
                        "team:",
                        KEY));
        assertThat(shared.redis().host()).isEqualTo("cache.example");
        assertThat(shared.redis().port()).isEqualTo(6380);
        assertThat(shared.redis().database()).isEqualTo(2);
        assertThat(shared.redis().isTls()).isTrue();
        assertThat(settings.pipeline().sharedCache()).isEqualTo(shared);
        assertThat(shared.toString() + shared.redis()).doesNotContain("hidden").doesNotContain(KEY);
    }

    @Test
    void isOffByDefault() {
        NodeSettings settings = SettingsLoading.node("{}");

        assertThat(settings.sharedCache().isConfigured()).isFalse();
        assertThat(settings.destinationDefaults().cache().shared()).isFalse();
    }

    @Test
    void namesTheKeyThatIsWrong() {
        assertThatThrownBy(() -> SettingsLoading.node("""
            shared-cache:
              redis: {url: "http://cache.example", username: node, tls: {ca: ""}}
              timeout: 6s
              max-in-flight: 0
              prefix: "a b"
              hmac-key: short
            """))
                .hasMessageContaining("shared-cache.redis.url must start with redis:// or rediss://")
                .hasMessageContaining("shared-cache.redis.username must not be set without password: node")
                .hasMessageContaining("shared-cache.timeout must be at most 5s: 6s")
                .hasMessageContaining("shared-cache.max-in-flight")
                .hasMessageContaining("shared-cache.prefix must be at most 100 letters")
                .hasMessageContaining("shared-cache.hmac-key must have at least 32 characters")
                .hasMessageNotContaining("short");
        assertThatThrownBy(() ->
                        SettingsLoading.node("shared-cache: {redis: {url: \"redis://node:hidden@cache.example\"}}"))
                .hasMessageContaining("must not contain a login; set username and password")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void aDestinationCannotShareWithoutAStoreOrWithoutAnythingStored() {
        assertThatThrownBy(() ->
                        SettingsLoading.node("destinations: [{match: a.example, cache: {ttl: 1m, shared: true}}]"))
                .hasMessageContaining(
                        "destinations[0].cache.shared must not be true because shared-cache.redis.url is not set");
        assertThatThrownBy(() -> SettingsLoading.node("destination-defaults: {cache: {coalesce: true, shared: true}}"))
                .hasMessageContaining("cache.shared needs a ttl or negative-ttl");
    }
}
