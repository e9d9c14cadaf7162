package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.cache.shared.SharedCacheSettings;
import io.iocluster.destination.policy.AdaptiveConcurrencySettings;
import io.iocluster.destination.policy.BreakerSettings;
import io.iocluster.destination.policy.ConnectionSettings;
import io.iocluster.destination.policy.DestinationLimits;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.destination.policy.LimitScope;
import io.iocluster.destination.policy.QueueFullPolicy;
import io.iocluster.egress.EgressMode;
import io.iocluster.egress.EgressSettings;
import io.iocluster.hedge.HedgeDelay;
import io.iocluster.hedge.HedgeSettings;
import io.iocluster.http.BodyTooLargePolicy;
import io.iocluster.http.CacheMemorySettings;
import io.iocluster.http.DnsSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ProxySettings;
import io.iocluster.http.TlsSettings;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.AnswerTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.AutoOffsetReset;
import io.iocluster.kafka.config.KafkaSettings.DeadLetterTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.config.KafkaSettings.RequestTopicSettings;
import io.iocluster.kafka.config.KafkaSettings.TopicCreation;
import io.iocluster.message.ErrorCode;
import io.iocluster.node.config.LoggingSettings.Format;
import io.iocluster.node.config.LoggingSettings.Level;
import io.iocluster.node.config.NodeSettings.TransportKind;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.pipeline.outbox.AnswerSettings;
import io.iocluster.producer.AppQuota;
import io.iocluster.producer.AppSettings;
import io.iocluster.producer.ProducerSettings;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitTlsSettings;
import io.iocluster.retry.RetryBudgetSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.Rate;
import io.iocluster.settings.StatusPattern;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.DelayedRetrySettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeSettingsTest {

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
        assertThat(settings.shutdown()).isEqualTo(new ShutdownSettings(Duration.ofSeconds(30)));
        assertThat(settings.admin())
                .isEqualTo(new AdminSettings(
                        "127.0.0.1",
                        8080,
                        "",
                        "",
                        100,
                        Duration.ofHours(1),
                        50,
                        16,
                        "",
                        new ActionSettings(Duration.ofMinutes(15), Duration.ofDays(1)),
                        TapSettings.DEFAULTS,
                        new AdminTlsSettings("", "", "")));
        assertThat(settings.metrics()).isEqualTo(new MetricsSettings(100, 200, OtlpMetricsSettings.DEFAULTS));
        assertThat(settings.tracing())
                .isEqualTo(new TracingSettings(
                        false,
                        "http://127.0.0.1:4318/v1/traces",
                        Map.of(),
                        1,
                        false,
                        2_048,
                        512,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(5),
                        Map.of()));
        assertThat(settings.logging()).isEqualTo(new LoggingSettings(Level.INFO, Format.TEXT));
        assertThat(settings.tuning()).isEqualTo(TuningSettings.DEFAULTS);
        assertThat(settings.config())
                .isEqualTo(new ConfigSettings(Duration.ofMillis(500), ConsulSettingsTest.DEFAULTS));
    }

    @Test
    void generatesOneIdForTheProcess() {
        String id = SettingsLoading.node("").node().id();

        assertThat(id).matches("[\\w.-]+-[0-9a-z]{4}");
        assertThat(SettingsLoading.node("node: {id: \"\"}").node().id()).isEqualTo(id);
    }

    @Test
    void bindsEverySection() throws IOException {
        NodeSettings settings = SettingsLoading.node(everySection());

        RetrySettings retry = new RetrySettings(
                1,
                Duration.ofMillis(2),
                Duration.ofMillis(3),
                Duration.ofSeconds(7),
                List.of(500),
                List.of(ErrorCode.TLS),
                true,
                Duration.ofSeconds(4),
                new RetryBudgetSettings(5, 6));
        DestinationLimits defaultLimits =
                RecordCopy.with(DestinationLimits.DEFAULTS, "maxWaiting", 8, "rate", Rate.parse("7/m"));
        LimitScope all = LimitScope.CLUSTER;
        DestinationLimits limits = new DestinationLimits(
                100, all, 3, 50, Duration.ofSeconds(1), QueueFullPolicy.FAIL, Rate.parse("200/s"), all);
        assertThat(settings)
                .isEqualTo(new NodeSettings(
                        new IdentitySettings("node-1", Duration.ofSeconds(4)),
                        TransportKind.KAFKA,
                        new KafkaSettings(
                                "a:1,b:2",
                                new RequestTopicSettings(
                                        List.of("in"),
                                        "g",
                                        KafkaSettings.RequestMode.CONSUMER,
                                        2,
                                        AutoOffsetReset.LATEST,
                                        Ordering.KEY,
                                        DataSize.ofMebibytes(4),
                                        Map.of("in", List.of("team.*", "{key}.out"))),
                                new AnswerTopicSettings("out", List.of("team.*")),
                                new DeadLetterTopicSettings("dead"),
                                new DelayedRetrySettings(
                                        false, "later", List.of(Duration.ofSeconds(1), Duration.ofMinutes(2))),
                                new KafkaSettings.ClusterTopicSettings("nodes"),
                                new TopicCreation(true, 2, 3),
                                Map.of("security.protocol", "SSL"),
                                Duration.ofSeconds(2),
                                10,
                                4_096,
                                11,
                                DataSize.ofMebibytes(12),
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(4),
                                Duration.ofSeconds(17)),
                        new RabbitSettings(
                                List.of(ConnectionUri.parse("amqp://jo:pw@a:1/v"), ConnectionUri.parse("amqps://b/v")),
                                "nodes",
                                new RabbitSettings.RequestQueueSettings(
                                        "in",
                                        5,
                                        DataSize.ofMebibytes(6),
                                        Duration.ofSeconds(16),
                                        DataSize.ofMebibytes(5)),
                                new RabbitSettings.AnswerRoutingSettings("x", "out", List.of("team.*")),
                                new RabbitSettings.DeadLetterQueueSettings("dead"),
                                new DelayedRetrySettings(true, "later", List.of(Duration.ofMinutes(1))),
                                new RabbitSettings.ClusterExchangeSettings("nodes"),
                                new RabbitSettings.QueueDeclaration(true, RabbitSettings.QueueType.CLASSIC),
                                new RabbitTlsSettings("", "", "", "", false),
                                new RabbitSettings.ManagementApiSettings(
                                        List.of(ConnectionUri.parse("http://c")), Duration.ofSeconds(7)),
                                Duration.ofSeconds(8),
                                Duration.ofSeconds(9),
                                new DataSize(10 * 1024),
                                DataSize.ofMebibytes(11),
                                Duration.ofSeconds(12),
                                Duration.ofMillis(13),
                                14,
                                Duration.ofSeconds(15)),
                        new WorkerSettings(
                                4,
                                600,
                                900,
                                800,
                                DataSize.ofMebibytes(64),
                                700,
                                60,
                                7,
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(90)),
                        new AnswerSettings(
                                Duration.ofSeconds(1),
                                Duration.ofMinutes(2),
                                500,
                                DataSize.ofMebibytes(32),
                                DataSize.ofMebibytes(4)),
                        new HttpSettings(
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(4),
                                Duration.ofSeconds(8),
                                Duration.ofSeconds(3),
                                DataSize.ofMebibytes(2),
                                BodyTooLargePolicy.FAIL,
                                new DataSize(16 * 1024),
                                77,
                                DataSize.ofMebibytes(3),
                                Duration.ofSeconds(5),
                                6,
                                500,
                                50,
                                7,
                                false,
                                new DnsSettings(
                                        List.of("10.0.0.53"),
                                        Duration.ofSeconds(3),
                                        9,
                                        5,
                                        Duration.ofSeconds(1),
                                        Duration.ofSeconds(2),
                                        Duration.ofSeconds(4)),
                                new CacheMemorySettings(DataSize.ofMebibytes(6))),
                        retry,
                        new EgressSettings(
                                EgressMode.REPORT,
                                List.of("http"),
                                List.of(),
                                List.of("127.0.0.0/8"),
                                List.of("10.1.0.0/16"),
                                List.of("a.example"),
                                List.of("*.b.example"),
                                new DataSize(4 * 1024),
                                9,
                                new DataSize(5 * 1024)),
                        Map.of("partner-a", CredentialsTest.bearer("a.example", "abc")),
                        new DestinationPolicy(
                                defaultLimits,
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(4),
                                "",
                                new ConnectionSettings(
                                        Duration.ofSeconds(1), false, false, TlsSettings.DEFAULTS, ProxySettings.NONE),
                                DestinationPolicy.DEFAULTS.upstreams(),
                                retry,
                                List.of(),
                                DestinationPolicy.DEFAULTS.usable(),
                                BreakerSettings.DEFAULTS,
                                AdaptiveConcurrencySettings.DEFAULTS,
                                HedgeSettings.DEFAULTS,
                                DestinationPolicy.DEFAULTS.cache()),
                        List.of(new DestinationSettings(
                                List.of("*.partner.example"),
                                "partner",
                                new DestinationPolicy(
                                        limits,
                                        Duration.ofSeconds(1),
                                        Duration.ofSeconds(3),
                                        "partner-a",
                                        new ConnectionSettings(
                                                Duration.ofMillis(500),
                                                true,
                                                true,
                                                TlsSettings.DEFAULTS,
                                                new ProxySettings(
                                                        ProxySettings.Type.SOCKS5, "proxy.example", 1080, "jo", "pw")),
                                        DestinationPolicy.DEFAULTS.upstreams(),
                                        retry.withAttempts(2, retry.baseDelay(), retry.maxDelay()),
                                        List.of(StatusPattern.parse("404"), StatusPattern.parse("5xx")),
                                        DestinationPolicy.DEFAULTS.usable(),
                                        new BreakerSettings(
                                                false,
                                                40,
                                                50,
                                                10,
                                                Duration.ofSeconds(1),
                                                Duration.ofSeconds(2),
                                                1,
                                                List.of(StatusPattern.parse("5xx"), StatusPattern.parse("401")),
                                                true),
                                        new AdaptiveConcurrencySettings(true, 10, 2),
                                        new HedgeSettings(HedgeDelay.parse("p90"), 3, Duration.ofMillis(20)),
                                        DestinationPolicy.DEFAULTS.cache()))),
                        new ProducerSettings("sender", 9, new AppQuota(8, Rate.UNLIMITED, 7)),
                        List.of(new AppSettings("billing", new AppQuota(8, new Rate(6, Duration.ofSeconds(1)), 7))),
                        SharedCacheSettings.DEFAULTS,
                        new ShutdownSettings(Duration.ofMinutes(5)),
                        new AdminSettings(
                                "0.0.0.0",
                                9090,
                                "secret",
                                "reader",
                                7,
                                Duration.ofMinutes(10),
                                6,
                                5,
                                "https://git.example/docs/",
                                new ActionSettings(Duration.ofMinutes(20), Duration.ofHours(2)),
                                new TapSettings(
                                        2,
                                        new Rate(5, Duration.ofMinutes(1)),
                                        9,
                                        Duration.ofMinutes(1),
                                        List.of("page")),
                                new AdminTlsSettings("", "", "")),
                        new MetricsSettings(
                                7,
                                8,
                                new OtlpMetricsSettings(
                                        true,
                                        "https://collector/m",
                                        Duration.ofSeconds(10),
                                        Duration.ofSeconds(2),
                                        Map.of("A", "b"),
                                        Map.of("env", "test"))),
                        new TracingSettings(
                                true,
                                "https://collector/t",
                                Map.of("C", "d"),
                                0.25,
                                true,
                                100,
                                50,
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(3),
                                Map.of("env", "test")),
                        new LoggingSettings(Level.DEBUG, Format.JSON),
                        new TuningSettings(
                                TuningSettings.Mode.AUTO,
                                900,
                                3,
                                70,
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(40),
                                Duration.ofSeconds(9)),
                        new ClusterSettings(
                                true, Duration.ofSeconds(3), Duration.ofSeconds(12), 9, Duration.ofSeconds(2)),
                        settings.door(),
                        new ConfigSettings(Duration.ofSeconds(3), ConsulSettingsTest.DEFAULTS)));
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1", "127.1.2.3", "localhost", "::1"})
    void aLoopbackAdminNeedsNoToken(String host) {
        NodeSettings settings = SettingsLoading.node("admin: {host: \"" + host + "\"}");
        assertThat(settings.admin().token()).isEmpty();
    }

    private static String everySection() throws IOException {
        try (InputStream yaml = NodeSettingsTest.class.getResourceAsStream("every-section.yaml")) {
            return new String(yaml.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
