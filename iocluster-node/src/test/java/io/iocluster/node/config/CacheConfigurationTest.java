package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.cache.CacheKeySettings;
import io.iocluster.cache.CacheSettings;
import io.iocluster.cache.CacheSharing;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.StatusPattern;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how the cache of a destination is configured. */
class CacheConfigurationTest {

    @Test
    void bindsEveryKey() {
        NodeSettings settings = SettingsLoading.node("""
            shared-cache: {redis: {url: "redis://127.0.0.1"}}
            destinations:
              - match: a.example
                cache: {ttl: 30s, negative-ttl: 1s, max-bytes: 2MiB, methods: [GET, POST], statuses: [2xx, 404],
                        key: {query: [id, page], headers: [Accept-Language]}, share-across: [apps, credentials],
                        coalesce: true, stale-if-error: 5m, refresh-ahead: 5s, respect-cache-control: false, shared: true}
            """);

        assertThat(settings.destinations().get(0).policy().cache())
                .isEqualTo(new CacheSettings(
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(1),
                        DataSize.ofMebibytes(2),
                        List.of("GET", "POST"),
                        List.of(StatusPattern.parse("2xx"), StatusPattern.parse("404")),
                        new CacheKeySettings(List.of("id", "page"), List.of("accept-language")),
                        List.of(CacheSharing.APPS, CacheSharing.CREDENTIALS),
                        true,
                        Duration.ofMinutes(5),
                        Duration.ofSeconds(5),
                        false,
                        true));
    }

    @Test
    void destinationsInheritKeysOfTheCache() {
        NodeSettings settings = SettingsLoading.node("""
            destination-defaults: {cache: {max-bytes: 1MiB, key: {headers: [accept]}}}
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
}
