package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.EgressSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.kafka.KafkaSettings;
import io.iocluster.kafka.KafkaSettings.Answers;
import io.iocluster.kafka.KafkaSettings.CreateTopics;
import io.iocluster.kafka.KafkaSettings.DeadLetters;
import io.iocluster.kafka.KafkaSettings.Ordering;
import io.iocluster.kafka.KafkaSettings.Requests;
import io.iocluster.kafka.KafkaSettings.Start;
import io.iocluster.node.config.LoggingSettings.Format;
import io.iocluster.node.config.LoggingSettings.Level;
import io.iocluster.node.config.NodeSettings.TransportKind;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeSettingsTest {

    @Test
    void everySectionHasDefaults() {
        NodeSettings settings = Loading.node("");

        assertThat(settings.transport()).isEqualTo(TransportKind.KAFKA);
        assertThat(settings.kafka()).isEqualTo(KafkaSettings.DEFAULTS);
        assertThat(settings.workers()).isEqualTo(WorkerSettings.DEFAULTS);
        assertThat(settings.http()).isEqualTo(HttpSettings.DEFAULTS);
        assertThat(settings.retry()).isEqualTo(RetrySettings.DEFAULTS);
        assertThat(settings.egress()).isEqualTo(EgressSettings.DEFAULTS);
        assertThat(settings.shutdown()).isEqualTo(new ShutdownSettings(Duration.ofSeconds(30)));
        assertThat(settings.admin()).isEqualTo(new AdminSettings("127.0.0.1", 8080, ""));
        assertThat(settings.metrics()).isEqualTo(new MetricsSettings(100));
        assertThat(settings.logging()).isEqualTo(new LoggingSettings(Level.INFO, Format.TEXT));
    }

    @Test
    void aNodeWithoutAnIdGetsOneThatStaysForTheProcess() {
        String id = Loading.node("").node().id();

        assertThat(id).matches("[\\w.-]+-[0-9a-z]{4}");
        assertThat(Loading.node("node: {id: \"\"}").node().id()).isEqualTo(id);
    }

    @Test
    void everySectionCanBeSet() {
        NodeSettings settings = Loading.node("""
                node: {id: node-1}
                transport: kafka
                kafka:
                  bootstrap-servers: a:1,b:2
                  requests: {topics: [in], group: g, start: latest, ordering: key}
                  answers: {topic: out, reply-to: [team.*]}
                  dead-letters: {topic: dead}
                  create-topics: {enabled: true, partitions: 2, replication: 3}
                  properties: {security.protocol: SSL}
                  commit-interval: 2s
                  commit-every: 10
                  ledger-span: 4096
                  buffer-records: 11
                  buffer-bytes: 12MiB
                  revoke-drain: 3s
                  lag-interval: 4s
                workers: {threads: 4, max-in-flight: 600, max-unconfirmed: 900, max-in-flight-bytes: 64MiB, stall-timeout: 5s}
                http: {connect-timeout: 1s, timeout: 2s, deadline: 4s, max-deadline: 8s, max-response-body: 2MiB, max-request-body: 3MiB,
                       keep-alive: 5s, connections-per-destination: 6, http2: false}
                retry: {max-attempts: 1, base-delay: 2ms, max-delay: 3ms}
                egress: {schemes: [http], ports: [], allow-networks: [127.0.0.0/8], deny-hosts: [a.example],
                         allow-hosts: ["*.b.example"]}
                shutdown: {drain: 5m}
                admin: {host: 0.0.0.0, port: 9090, token: secret}
                metrics: {destinations: 7}
                logging: {level: debug, format: json}
                """);

        assertThat(settings)
                .isEqualTo(new NodeSettings(
                        new IdentitySettings("node-1"),
                        TransportKind.KAFKA,
                        new KafkaSettings(
                                "a:1,b:2",
                                new Requests(List.of("in"), "g", Start.LATEST, Ordering.KEY),
                                new Answers("out", List.of("team.*")),
                                new DeadLetters("dead"),
                                new CreateTopics(true, 2, 3),
                                Map.of("security.protocol", "SSL"),
                                Duration.ofSeconds(2),
                                10,
                                4_096,
                                11,
                                DataSize.ofMebibytes(12),
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(4)),
                        new WorkerSettings(4, 600, 900, DataSize.ofMebibytes(64), Duration.ofSeconds(5)),
                        new HttpSettings(
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(4),
                                Duration.ofSeconds(8),
                                DataSize.ofMebibytes(2),
                                DataSize.ofMebibytes(3),
                                Duration.ofSeconds(5),
                                6,
                                false),
                        new RetrySettings(1, Duration.ofMillis(2), Duration.ofMillis(3)),
                        new EgressSettings(
                                List.of("http"),
                                List.of(),
                                List.of("127.0.0.0/8"),
                                List.of("a.example"),
                                List.of("*.b.example")),
                        new ShutdownSettings(Duration.ofMinutes(5)),
                        new AdminSettings("0.0.0.0", 9090, "secret"),
                        new MetricsSettings(7),
                        new LoggingSettings(Level.DEBUG, Format.JSON)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "node: {id: a b}; 'node.id must be up to 200 letters, digits and any of . _ : -, without spaces: a b'",
                "transport: rabbit; transport must be one of kafka: rabbit",
                "'kafka: {bootstrap-servers: localhost}'; 'kafka.bootstrap-servers must be host:port, several with commas: localhost'",
                "kafka: {requests: {start: middle}}; 'kafka.requests.start must be one of earliest, latest: middle'",
                "kafka: {answers: {topic: iocluster.requests}};"
                        + " 'kafka.answers.topic must not be one that requests are read from: iocluster.requests'",
                "workers: {threads: -1}; workers.threads must be from 0 to 1024: -1",
                "workers: {max-in-flight: 0}; workers.max-in-flight must be from 1 to 1000000: 0",
                "workers: {max-unconfirmed: 0}; workers.max-unconfirmed must be from 1 to 1000000: 0",
                "workers: {max-in-flight-bytes: 1KiB}; workers.max-in-flight-bytes must be from 1MiB to 1024GiB: 1KiB",
                "workers: {stall-timeout: 10ms}; workers.stall-timeout must be at least 1s: 10ms",
                "http: {connect-timeout: 0s}; http.connect-timeout must be positive: 0s",
                "http: {timeout: -1s}; http.timeout must be positive: -1s",
                "http: {deadline: 0s}; http.deadline must be positive: 0s",
                "http: {max-response-body: 1GiB}; http.max-response-body must be from 0B to 256MiB: 1GiB",
                "http: {max-request-body: 1GiB}; http.max-request-body must be from 0B to 256MiB: 1GiB",
                "http: {keep-alive: -1s}; http.keep-alive must not be negative: -1s",
                "http: {connections-per-destination: -1};"
                        + " http.connections-per-destination must be from 0 to 100000: -1",
                "http: {http2: maybe}; http.http2 must be true or false: maybe",
                "retry: {max-attempts: 0}; retry.max-attempts must be from 1 to 100: 0",
                "retry: {base-delay: 0s}; retry.base-delay must be positive: 0s",
                "retry: {max-delay: 1ms}; retry.max-delay must not be below base-delay",
                "egress: {ports: [http]}; 'egress.ports[0] must be a whole number: http'",
                "shutdown: {drain: -1s}; shutdown.drain must not be negative: -1s",
                "admin: {host: \"\"}; admin.host must not be empty",
                "admin: {port: 65536}; admin.port must be from 0 to 65535: 65536",
                "admin: {token: a b}; 'admin.token must be visible ASCII without spaces'",
                "admin: {host: 0.0.0.0}; 'admin.token must be set, because host is no loopback address'",
                "metrics: {destinations: -1}; metrics.destinations must be from 0 to 10000: -1",
                "logging: {level: loud}; 'logging.level must be one of error, warn, info, debug, trace: loud'",
                "logging: {format: xml}; 'logging.format must be one of text, json: xml'",
            })
    void namesEachRejection(String yaml, String mistake) {
        assertThat(Loading.mistakes(yaml)).contains(mistake);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1", "127.1.2.3", "localhost", "::1"})
    void aLoopbackAdminNeedsNoToken(String host) {
        assertThat(Loading.node("admin: {host: \"" + host + "\"}").admin().token())
                .isEmpty();
    }

    @Test
    void noTokenShowsInText() {
        assertThat(new AdminSettings("127.0.0.1", 1, "s3cr3t").toString()).doesNotContain("s3cr3t");
    }
}
