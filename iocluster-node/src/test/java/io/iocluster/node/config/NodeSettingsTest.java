package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.node.config.NodeSettings.TransportKind;
import io.iocluster.node.config.binding.EffectiveSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.retry.RetrySettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

class NodeSettingsTest {

    private static final String HIDDEN = "***";

    /** The record of a section without keys is the constant that other modules and tests use. */
    @Test
    void everySectionHasDefaults() {
        NodeSettings settings = SettingsLoading.node("");

        assertThat(settings.transport()).isEqualTo(TransportKind.KAFKA);
        assertThat(settings.kafka()).isEqualTo(KafkaSettings.DEFAULTS);
        assertThat(settings.rabbit()).isEqualTo(RabbitSettings.DEFAULTS);
        assertThat(settings.workers()).isEqualTo(WorkerSettings.DEFAULTS);
        assertThat(settings.http()).isEqualTo(HttpSettings.DEFAULTS);
        assertThat(settings.retry()).isEqualTo(RetrySettings.DEFAULTS);
        assertThat(settings.egress()).isEqualTo(EgressSettings.DEFAULTS);
        assertThat(settings.destinationDefaults()).isEqualTo(DestinationPolicy.DEFAULTS);
        assertThat(settings.destinations()).isEmpty();
        assertThat(settings.metrics().otlp()).isEqualTo(OtlpMetricsSettings.DEFAULTS);
        assertThat(settings.admin().tap()).isEqualTo(TapSettings.DEFAULTS);
        assertThat(settings.tuning()).isEqualTo(TuningSettings.DEFAULTS);
        assertThat(settings.sharedCache().isConfigured()).isFalse();
        assertThat(settings.config().consul().isEnabled()).isFalse();
        assertThat(settings.config().consul().isServiceEnabled()).isFalse();
    }

    @Test
    void generatesOneIdForTheProcess() {
        String id = SettingsLoading.node("").node().id();

        assertThat(id).matches("[\\w.-]+-[0-9a-z]{4}");
        assertThat(SettingsLoading.node("node: {id: \"\"}").node().id()).isEqualTo(id);
    }

    static Stream<String> files() throws IOException {
        try (InputStream yaml = NodeSettingsTest.class.getResourceAsStream("every-section.yaml")) {
            return Stream.of(new String(yaml.readAllBytes(), StandardCharsets.UTF_8), """
                    config:
                      consul:
                        address: https://consul.example:8501/
                        token: s3cr3t
                        key: iocluster/a
                        datacenter: dc-2
                        query-wait: 2m
                        min-interval: 1s
                        timeout: 2s
                        base-delay: 3s
                        max-delay: 4s
                        startup-timeout: 5s
                        max-value-size: 6KiB
                        max-instances: 7
                        service: {enabled: false, name: calls, tags: [a, b], address: node.example, check: ttl,
                                  check-interval: 7s, check-timeout: 8s, deregister-after: 9m}
                    """, """
                    shared-cache:
                      redis: {url: "rediss://cache.example:6380/2", username: node, password: hidden}
                      timeout: 5ms
                      max-in-flight: 100
                      max-value-bytes: 64KiB
                      max-write-bytes: 1MiB
                      prefix: "team:"
                      hmac-key: a secret of more than thirty-two characters
                    destinations:
                      - match: a.example
                        cache: {ttl: 30s, negative-ttl: 1s, max-bytes: 2MiB, methods: [GET, POST], statuses: [2xx, 404],
                                key: {query: [id, page], headers: [accept-language]}, share-across: [apps, credentials],
                                coalesce: true, stale-if-error: 5m, refresh-ahead: 5s, respect-cache-control: false, shared: true}
                    """, """
                    credentials:
                      partner-a:
                        hosts: ["*.partner.example", "partner.example:8443"]
                        schemes: [https, http]
                        headers: {X-Key: k}
                        oauth2: {token-url: "https://id.example/token", client-id: c, client-secret: s, scope: a b,
                                 client-auth: body, parameters: {audience: x}, timeout: 1s, default-lifetime: 2s, refresh-ahead: 3s,
                                 failure-backoff: 4s}
                        standard-webhooks: {secrets: [whsec_bmV3bmV3bmV3bmV3bmV3bmV3bmV3bmV3, whsec_b2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xk]}
                      partner-b: {hosts: b.example, basic: {username: jo, password: pw}}
                      partner-c: {hosts: c.example, bearer: abc}
                      partner-d: {hosts: d.example, aws-sig-v4: {access-key-id: AKID, secret-access-key: u, session-token: t,
                                                                 region: eu-west-1, service: execute-api}}
                    """);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void bindsEveryKey(String file) {
        LoadedSettings<NodeSettings> loaded = SettingsLoading.load(NodeSettings.class, file, Map.of());
        EffectiveSettings effective = new EffectiveSettings(loaded);

        assertBound("", new YAMLMapper().readTree(file), effective.tree(), effective.secrets());
    }

    /** A value of the file is the effective one, or hidden and a secret. One value may stand for a list. */
    private static void assertBound(String path, JsonNode written, JsonNode effective, Set<String> secrets) {
        if (effective.has(HIDDEN) || effective.path(0).asString("").equals(HIDDEN)) {
            assertThat(written).as(path).isNotEmpty().allMatch(each -> secrets.contains(each.asString()));
        } else if (written.isObject()) {
            assertThat(written).as(path).isNotEmpty();
            written.forEachEntry((key, value) -> assertBound(path + "/" + key, value, effective.path(key), secrets));
        } else if (written.isArray()) {
            assertThat(effective).as(path).hasSize(written.size());
            for (int i = 0; i < written.size(); i++) {
                assertBound(path + "/" + i, written.get(i), effective.get(i), secrets);
            }
        } else {
            String text = (effective.isArray() ? effective.path(0) : effective).asString("missing");
            if (text.equals(HIDDEN)) {
                assertThat(secrets).as(path).contains(written.asString());
            } else {
                assertThat(text).as(path).isEqualTo(written.asString().replace(":pw@", ":" + HIDDEN + "@"));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1", "127.1.2.3", "localhost", "::1"})
    void aLoopbackAdminNeedsNoToken(String host) {
        NodeSettings settings = SettingsLoading.node("admin: {host: \"" + host + "\"}");

        assertThat(settings.admin().token()).isEmpty();
    }
}
