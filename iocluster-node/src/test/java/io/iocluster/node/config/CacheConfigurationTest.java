package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.cache.CacheKeySettings;
import io.iocluster.cache.CacheSettings;
import io.iocluster.cache.shared.SharedCacheSettings;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.settings.DataSize;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how the cache of a destination and the cache that nodes share are configured. */
class CacheConfigurationTest {

    @Test
    void destinationsInheritKeysOfTheCache() {
        NodeSettings settings = SettingsLoading.node("""
            destination-defaults: {cache: {max-bytes: 1MiB, key: {headers: [Accept]}}}
            destinations: [{match: a.example, cache: {ttl: 1m}}, {match: b.example}]
            """);

        CacheSettings first = settings.destinations().get(0).policy().cache();
        assertThat(first.ttl()).isEqualTo(Duration.ofMinutes(1));
        assertThat(first.maxBytes()).isEqualTo(DataSize.ofMebibytes(1));
        assertThat(first.key()).isEqualTo(new CacheKeySettings(List.of("*"), List.of("accept")));
        assertThat(settings.destinations().get(1).policy().cache().isEnabled()).isFalse();
        assertThat(settings.destinationDefaults().cache().isEnabled()).isFalse();
    }

    @Test
    void refusesCachesThatTogetherNeedMoreThanTheNodeMayUse() {
        String destinations = """
            destination-defaults: {cache: {ttl: 1m, max-bytes: 10MiB}}
            destinations: [{match: a.example}, {match: b.example, cache: {max-bytes: 20MiB}}]
            """;

        assertThatThrownBy(() -> SettingsLoading.node("http: {cache: {max-bytes: 39MiB}}\n" + destinations))
                .hasMessageContaining("http.cache.max-bytes must not be below the sum of cache.max-bytes of"
                        + " destination-defaults and destinations (40MiB): 39MiB");
        assertThat(SettingsLoading.node("http: {cache: {max-bytes: 40MiB}}\n" + destinations)
                        .destinations())
                .hasSize(2);
    }

    @Test
    void namesTheKeyThatIsWrong() {
        assertThatThrownBy(() -> SettingsLoading.node("""
            destinations:
              - {match: a.example, cache: {methods: [PUT], statuses: [304], key: {headers: ["a b"]}, share-across: [all]}}
            """))
                .hasMessageContaining("destinations[0].cache.methods[0] must be GET, HEAD, OPTIONS or POST")
                .hasMessageContaining("destinations[0].cache.statuses[0] must be a final status other than 206 and 304")
                .hasMessageContaining("destinations[0].cache.key.headers[0] must be the name of a header: a b")
                .hasMessageContaining("destinations[0].cache.share-across[0] must be one of credentials, apps: all");
    }

    @Test
    void readsTheAddressAndShowsNoSecret() {
        SharedCacheSettings shared = SettingsLoading.node("""
            shared-cache:
              redis: {url: "rediss://cache.example:6380/2", username: node, password: hidden}
              hmac-key: a secret of more than thirty-two characters
            """).sharedCache();

        assertThat(shared.redis().host()).isEqualTo("cache.example");
        assertThat(shared.redis().port()).isEqualTo(6380);
        assertThat(shared.redis().database()).isEqualTo(2);
        assertThat(shared.redis().isTls()).isTrue();
        assertThat(shared.toString() + shared.redis()).doesNotContain("hidden", "a secret of");
    }

    @Test
    void namesTheKeyOfTheSharedCacheThatIsWrong() {
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
