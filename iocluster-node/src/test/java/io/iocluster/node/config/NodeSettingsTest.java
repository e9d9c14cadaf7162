package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.destination.AdaptiveSettings;
import io.iocluster.destination.BreakerSettings;
import io.iocluster.destination.DestinationPolicy;
import io.iocluster.destination.DestinationSettings;
import io.iocluster.destination.WhenFull;
import io.iocluster.egress.EgressMode;
import io.iocluster.egress.EgressSettings;
import io.iocluster.http.DnsSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ProxySettings;
import io.iocluster.http.WhenBodyTooLarge;
import io.iocluster.kafka.KafkaSettings;
import io.iocluster.kafka.KafkaSettings.Answers;
import io.iocluster.kafka.KafkaSettings.CreateTopics;
import io.iocluster.kafka.KafkaSettings.DeadLetters;
import io.iocluster.kafka.KafkaSettings.Ordering;
import io.iocluster.kafka.KafkaSettings.Requests;
import io.iocluster.kafka.KafkaSettings.Start;
import io.iocluster.message.ErrorCode;
import io.iocluster.node.config.LoggingSettings.Format;
import io.iocluster.node.config.LoggingSettings.Level;
import io.iocluster.node.config.NodeSettings.TransportKind;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.rabbit.RabbitSettings;
import io.iocluster.rabbit.TlsSettings;
import io.iocluster.retry.RetryBudgetSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.Rate;
import io.iocluster.transport.DelayedSettings;
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
        assertThat(settings.rabbit()).isEqualTo(RabbitSettings.DEFAULTS);
        assertThat(settings.workers()).isEqualTo(WorkerSettings.DEFAULTS);
        assertThat(settings.http()).isEqualTo(HttpSettings.DEFAULTS);
        assertThat(settings.retry()).isEqualTo(RetrySettings.DEFAULTS);
        assertThat(settings.egress()).isEqualTo(EgressSettings.DEFAULTS);
        assertThat(settings.destinationDefaults()).isEqualTo(DestinationPolicy.DEFAULTS);
        assertThat(settings.destinations()).isEmpty();
        assertThat(settings.shutdown()).isEqualTo(new ShutdownSettings(Duration.ofSeconds(30)));
        assertThat(settings.admin()).isEqualTo(new AdminSettings("127.0.0.1", 8080, "", 100));
        assertThat(settings.metrics()).isEqualTo(new MetricsSettings(100, OtlpMetricsSettings.DEFAULTS));
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
              delayed: {prefix: later, tiers: [2m, 1s]}
              create-topics: {enabled: true, partitions: 2, replication: 3}
              properties: {security.protocol: SSL}
              commit-interval: 2s
              commit-every: 10
              ledger-span: 4096
              buffer-records: 11
              buffer-bytes: 12MiB
              revoke-drain: 3s
              lag-interval: 4s
            rabbit:
              uris: ["amqp://jo:pw@a:1/v", "amqps://b/v"]
              requests: {queue: in, prefetch: 5, buffer-bytes: 6MiB, stall-timeout: 16s}
              answers: {exchange: x, routing-key: out, reply-to: [team.*]}
              dead-letters: {queue: dead}
              delayed: {enabled: true, prefix: later, tiers: 1m}
              declare: {enabled: true, queue-type: classic}
              tls: {verify-hostname: false}
              management: {uris: ["http://c"], timeout: 7s}
              heartbeat: 8s
              connect-timeout: 9s
              frame-max: 10KiB
              max-message-size: 11MiB
              confirm-timeout: 12s
              ack-interval: 13ms
              ack-every: 14
              lag-interval: 15s
            workers: {threads: 4, max-in-flight: 600, max-unconfirmed: 900, max-waiting: 800,
                      max-in-flight-bytes: 64MiB, max-destinations: 700, max-branches: 7, stall-timeout: 5s}
            http: {connect-timeout: 1s, timeout: 2s, deadline: 4s, max-deadline: 8s, max-response-body: 2MiB, when-body-too-large: fail, max-response-headers: 16KiB,
                   max-request-body: 3MiB, keep-alive: 5s, connections-per-destination: 6, concurrent-connects: 7, http2: false,
                   dns: {servers: [10.0.0.53], query-timeout: 3s, cache-size: 9, min-ttl: 1s, max-ttl: 2s, negative-ttl: 4s}}
            retry: {max-attempts: 1, base-delay: 2ms, max-delay: 3ms, delayed-after: 7s, statuses: [500], codes: [tls], max-pause: 4s,
                    budget: {percent: 5, per-second: 6}}
            egress: {mode: report, schemes: [http], ports: [], allow-networks: [127.0.0.0/8], deny-networks: [10.1.0.0/16],
                     deny-hosts: [a.example], allow-hosts: ["*.b.example"], max-url: 4KiB, max-headers: 9,
                     max-header-bytes: 5KiB}
            credentials: {partner-a: {hosts: a.example, bearer: abc}}
            destination-defaults: {rate: 7/m, waiting: 8}
            destinations:
              - match: "*.partner.example"
                name: partner
                max-in-flight: 100
                share: 3
                waiting: 50
                patience: 1s
                when-full: fail
                rate: 200/s
                timeout: 1s
                deadline: 3s
                connect-timeout: 500ms
                http2: true
                credential: partner-a
                compression: true
                tls: {ca: "", certificate: "", key: "", key-password: ""}
                proxy: {type: socks5, host: proxy.example, port: 1080, username: jo, password: pw}
                retry: {max-attempts: 2}
                breaker: {enabled: false, failure-percent: 40, calls: 50, minimum-calls: 10, open: 1s, max-open: 2s,
                          probes: 1}
                adaptive: {enabled: true, initial: 10, least: 2}
            shutdown: {drain: 5m}
            admin: {host: 0.0.0.0, port: 9090, token: secret, recent-failures: 7}
            metrics:
              destinations: 7
              otlp: {enabled: true, url: "https://collector/m", step: 10s, timeout: 2s, headers: {A: b},
                     resource-attributes: {env: test}}
            tracing: {enabled: true, url: "https://collector/t", headers: {C: d}, sample-ratio: 0.25, url-query: true,
                      queue: 100, batch: 50, interval: 1s, timeout: 2s, flush: 3s, resource-attributes: {env: test}}
            logging: {level: debug, format: json}
            tuning: {mode: auto, max-in-flight: 900, max-threads: 3, cpu-ceiling: 70, tolerated-lag: 2s, catch-up: 40s, window: 9s}
            config: {poll-interval: 3s}
            """);

        RetrySettings retry = new RetrySettings(
                1,
                Duration.ofMillis(2),
                Duration.ofMillis(3),
                Duration.ofSeconds(7),
                List.of(500),
                List.of(ErrorCode.TLS),
                Duration.ofSeconds(4),
                new RetryBudgetSettings(5, 6));
        assertThat(settings)
                .isEqualTo(new NodeSettings(
                        new IdentitySettings("node-1"),
                        TransportKind.KAFKA,
                        new KafkaSettings(
                                "a:1,b:2",
                                new Requests(List.of("in"), "g", Start.LATEST, Ordering.KEY),
                                new Answers("out", List.of("team.*")),
                                new DeadLetters("dead"),
                                new DelayedSettings(
                                        false, "later", List.of(Duration.ofSeconds(1), Duration.ofMinutes(2))),
                                new CreateTopics(true, 2, 3),
                                Map.of("security.protocol", "SSL"),
                                Duration.ofSeconds(2),
                                10,
                                4_096,
                                11,
                                DataSize.ofMebibytes(12),
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(4)),
                        new RabbitSettings(
                                List.of(ConnectionUri.parse("amqp://jo:pw@a:1/v"), ConnectionUri.parse("amqps://b/v")),
                                new RabbitSettings.Requests("in", 5, DataSize.ofMebibytes(6), Duration.ofSeconds(16)),
                                new RabbitSettings.Answers("x", "out", List.of("team.*")),
                                new RabbitSettings.DeadLetters("dead"),
                                new DelayedSettings(true, "later", List.of(Duration.ofMinutes(1))),
                                new RabbitSettings.Declare(true, RabbitSettings.QueueType.CLASSIC),
                                new TlsSettings("", "", "", "", false),
                                new RabbitSettings.Management(
                                        List.of(ConnectionUri.parse("http://c")), Duration.ofSeconds(7)),
                                Duration.ofSeconds(8),
                                Duration.ofSeconds(9),
                                new DataSize(10 * 1024),
                                DataSize.ofMebibytes(11),
                                Duration.ofSeconds(12),
                                Duration.ofMillis(13),
                                14,
                                Duration.ofSeconds(15)),
                        new WorkerSettings(4, 600, 900, 800, DataSize.ofMebibytes(64), 700, 7, Duration.ofSeconds(5)),
                        new HttpSettings(
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(4),
                                Duration.ofSeconds(8),
                                DataSize.ofMebibytes(2),
                                WhenBodyTooLarge.FAIL,
                                new DataSize(16 * 1024),
                                DataSize.ofMebibytes(3),
                                Duration.ofSeconds(5),
                                6,
                                7,
                                false,
                                new DnsSettings(
                                        List.of("10.0.0.53"),
                                        Duration.ofSeconds(3),
                                        9,
                                        Duration.ofSeconds(1),
                                        Duration.ofSeconds(2),
                                        Duration.ofSeconds(4))),
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
                                0,
                                2,
                                8,
                                Duration.ofMillis(200),
                                WhenFull.FAIL,
                                new Rate(7, Duration.ofMinutes(1)),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(4),
                                "",
                                Duration.ofSeconds(1),
                                false,
                                false,
                                io.iocluster.http.TlsSettings.DEFAULTS,
                                ProxySettings.NONE,
                                retry,
                                BreakerSettings.DEFAULTS,
                                AdaptiveSettings.DEFAULTS),
                        List.of(new DestinationSettings(
                                List.of("*.partner.example"),
                                "partner",
                                new DestinationPolicy(
                                        100,
                                        3,
                                        50,
                                        Duration.ofSeconds(1),
                                        WhenFull.FAIL,
                                        new Rate(200, Duration.ofSeconds(1)),
                                        Duration.ofSeconds(1),
                                        Duration.ofSeconds(3),
                                        "partner-a",
                                        Duration.ofMillis(500),
                                        true,
                                        true,
                                        io.iocluster.http.TlsSettings.DEFAULTS,
                                        new ProxySettings(ProxySettings.Type.SOCKS5, "proxy.example", 1080, "jo", "pw"),
                                        retry.with(2, retry.baseDelay(), retry.maxDelay()),
                                        new BreakerSettings(
                                                false, 40, 50, 10, Duration.ofSeconds(1), Duration.ofSeconds(2), 1),
                                        new AdaptiveSettings(true, 10, 2)))),
                        new ShutdownSettings(Duration.ofMinutes(5)),
                        new AdminSettings("0.0.0.0", 9090, "secret", 7),
                        new MetricsSettings(
                                7,
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
                        new ConfigSettings(Duration.ofSeconds(3), ConsulSettingsTest.DEFAULTS)));
    }

    @Test
    void aFullLineDelaysOnlyWhereTheBrokerKeepsWhatIsDelayed() {
        String delay = "destination-defaults: {when-full: delay}\n";

        NodeSettings kafka = Loading.node(delay + "kafka: {delayed: {enabled: true}}");
        NodeSettings rabbit = Loading.node(delay + "transport: rabbit\nrabbit: {delayed: {enabled: true}}");

        assertThat(kafka.destinationDefaults().whenFull()).isEqualTo(WhenFull.DELAY);
        assertThat(rabbit.destinationDefaults().whenFull()).isEqualTo(WhenFull.DELAY);
        assertThatThrownBy(() -> Loading.node(delay + "rabbit: {delayed: {enabled: true}}"))
                .hasMessageContaining(
                        "destination-defaults.when-full cannot be delay while kafka.delayed.enabled is false");
        assertThatThrownBy(() -> Loading.node("destinations: [{match: a.example, when-full: delay}]"))
                .hasMessageContaining("destinations[0].when-full");
    }

    @Test
    void anEntryOfDestinationsTakesWhatItDoesNotSayFromTheDefaultsAndTheyFromTheSections() {
        NodeSettings settings = Loading.node("""
            http: {timeout: 2s, deadline: 9s}
            retry: {max-attempts: 7}
            destination-defaults: {deadline: 5s, retry: {base-delay: 50ms}, breaker: {probes: 2}}
            destinations: [{match: "a.example", retry: {max-attempts: 4}}, {match: [b.example, "*.b.example"]}]
            """);

        DestinationPolicy first = settings.destinations().get(0).policy();
        assertThat(first.timeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(first.deadline()).isEqualTo(Duration.ofSeconds(5));
        assertThat(first.retry().maxAttempts()).isEqualTo(4);
        assertThat(first.retry().baseDelay()).isEqualTo(Duration.ofMillis(50));
        assertThat(first.breaker().probes()).isEqualTo(2);
        assertThat(settings.destinations().get(1).policy()).isEqualTo(settings.destinationDefaults());
        assertThat(settings.destinations()).extracting("name").containsExactly("a.example", "b.example");
        assertThat(settings.destinationDefaults().retry().maxAttempts()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "node: {id: a b}; 'node.id must be up to 200 letters, digits and any of . _ : -, without spaces: a b'",
                "transport: nats; 'transport must be one of kafka, rabbit: nats'",
                "rabbit: {uris: [http://h]}; 'rabbit.uris[0] must begin with amqp or amqps: http'",
                "rabbit: {uris: []}; rabbit.uris must name at least one node",
                "rabbit: {requests: {prefetch: -1}}; rabbit.requests.prefetch must be from 0 to 100000: -1",
                "rabbit: {answers: {routing-key: iocluster.requests}}; rabbit.answers.routing-key must not be the queue"
                        + " that requests are read from: iocluster.requests",
                "rabbit: {declare: {queue-type: stream}};"
                        + " 'rabbit.declare.queue-type must be one of quorum, classic: stream'",
                "rabbit: {tls: {ca: /no/such}}; rabbit.tls.ca cannot be read: /no/such",
                "rabbit: {management: {uris: [amqp://h]}};"
                        + " 'rabbit.management.uris[0] must begin with http or https: amqp'",
                "rabbit: {heartbeat: 1s}; 'rabbit.heartbeat must be from 2s to 1h: 1s'",
                "'kafka: {bootstrap-servers: localhost}'; 'kafka.bootstrap-servers must be host:port, several with"
                        + " commas: localhost'",
                "kafka: {requests: {start: middle}}; 'kafka.requests.start must be one of earliest, latest: middle'",
                "kafka: {answers: {topic: iocluster.requests}};"
                        + " 'kafka.answers.topic must not be one that requests are read from: iocluster.requests'",
                "workers: {threads: -1}; workers.threads must be from 0 to 1024: -1",
                "workers: {max-in-flight: 0}; workers.max-in-flight must be from 1 to 1000000: 0",
                "workers: {max-unconfirmed: 0}; workers.max-unconfirmed must be from 1 to 1000000: 0",
                "workers: {max-waiting: -1}; workers.max-waiting must be from 0 to 1000000: -1",
                "workers: {max-destinations: 0}; workers.max-destinations must be from 1 to 1000000: 0",
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
                "egress: {allow-networks: [10.0.0.0/8, lan]};"
                        + " 'egress.allow-networks[1] is not a network such as 10.20.0.0/16: lan'",
                "retry: {statuses: [503, 200]}; retry.statuses[1] must be from 400 to 599: 200",
                "retry: {codes: [deadline-exceeded]}; 'retry.codes[0] must be the code of a call that failed:"
                        + " deadline-exceeded'",
                "retry: {max-pause: -1s}; retry.max-pause must not be negative: -1s",
                "retry: {budget: {percent: -1}}; retry.budget.percent must be from 0 to 1000: -1",
                "retry: {budget: {per-second: -1}}; retry.budget.per-second must be from 0 to 1000000: -1",
                "destination-defaults: {max-in-flight: -1};"
                        + " destination-defaults.max-in-flight must be from 0 to 1000000: -1",
                "destination-defaults: {share: 0}; destination-defaults.share must be from 1 to 1000: 0",
                "destination-defaults: {waiting: -1}; destination-defaults.waiting must be from 0 to 1000000: -1",
                "destination-defaults: {patience: 11s}; destination-defaults.patience must be at most 10s: 11s",
                "destination-defaults: {match: a.example}; destination-defaults.match is no known key",
                "destinations: [{match: a.example, rate: 200}];"
                        + " 'destinations[0].rate is not a rate such as 200/s, 30/m or unlimited: 200'",
                "destinations: [{match: a.example, timeout: 0s}]; 'destinations[0].timeout must be positive: 0s'",
                "destinations: [{match: a.example, deadline: 0s}]; 'destinations[0].deadline must be positive: 0s'",
                "destinations: [{rate: 1/s}]; 'destinations[0].match must name at least one host'",
                "destinations: [{match: a_b:80}]; 'destinations[0].match[0] is not a host such as partner.example or"
                        + " *.partner.example: a_b:80'",
                "destinations: [{match: a.example, name: a b}];"
                        + " 'destinations[0].name must be up to 100 letters, digits and any of . _ * -: a b'",
                "destinations: [{match: a.example, name: other}];"
                        + " 'destinations[0].name must not be other, which stands for all that are not told apart'",
                "destinations: [{match: a.example}, {match: a.example}];"
                        + " 'destinations[1].name is another destination''s already: a.example'",
                "destinations: [{match: a.example, breaker: {failure-percent: 0}}];"
                        + " 'destinations[0].breaker.failure-percent must be from 1 to 100: 0'",
                "destination-defaults: {breaker: {calls: 0}};"
                        + " destination-defaults.breaker.calls must be from 1 to 100000: 0",
                "destination-defaults: {breaker: {minimum-calls: 101}};"
                        + " 'destination-defaults.breaker.minimum-calls must not be above calls: 101'",
                "destination-defaults: {breaker: {open: 1ms}};"
                        + " 'destination-defaults.breaker.open must be at least 10ms: 1ms'",
                "destination-defaults: {breaker: {max-open: 1s}};"
                        + " 'destination-defaults.breaker.max-open must not be below open'",
                "destination-defaults: {breaker: {probes: 0}};"
                        + " destination-defaults.breaker.probes must be from 1 to 10000: 0",
                "destination-defaults: {adaptive: {initial: 0}};"
                        + " destination-defaults.adaptive.initial must be from 1 to 1000000: 0",
                "destination-defaults: {adaptive: {least: 21}};"
                        + " 'destination-defaults.adaptive.least must not be above initial: 21'",
                "{http: {timeout: 0s}, destinations: [{match: a.example}]}; http.timeout must be positive: 0s",
                "shutdown: {drain: -1s}; shutdown.drain must not be negative: -1s",
                "admin: {host: \"\"}; admin.host must not be empty",
                "admin: {port: 65536}; admin.port must be from 0 to 65535: 65536",
                "admin: {token: a b}; 'admin.token must be visible ASCII without spaces'",
                "admin: {host: 0.0.0.0}; 'admin.token must be set, because host is no loopback address'",
                "admin: {recent-failures: -1}; admin.recent-failures must be from 0 to 10000: -1",
                "admin: {recent-failures: 10001}; admin.recent-failures must be from 0 to 10000: 10001",
                "egress: {mode: off}; 'egress.mode must be one of enforce, report, open: off'",
                "http: {dns: {servers: [dns.example]}}; 'http.dns.servers must be an address or address:port:"
                        + " dns.example'",
                "metrics: {otlp: {url: ftp://a/}}; 'metrics.otlp.url must be a URL of http or https, such as http://127.0.0.1:4318/v1/traces'",
                "metrics: {otlp: {step: 1ms}}; 'metrics.otlp.step must be from 1s to 1h: 1ms'",
                "metrics: {otlp: {timeout: 0s}}; 'metrics.otlp.timeout must be positive: 0s'",
                "tracing: {url: 'collector:4318'}; 'tracing.url must be a URL of http or https, such as http://127.0.0.1:4318/v1/traces'",
                "tracing: {url: 'http://me:secret@collector/'}; 'tracing.url must have no user; put credentials into headers'",
                "tracing: {sample-ratio: 1.5}; 'tracing.sample-ratio must be from 0 to 1: 1.5'",
                "tracing: {sample-ratio: half}; 'tracing.sample-ratio must be a number: half'",
                "tracing: {queue: 0}; 'tracing.queue must be from 1 to 1000000: 0'",
                "tracing: {queue: 5, batch: 6}; 'tracing.batch must not be above queue: 6'",
                "tracing: {interval: 0s}; 'tracing.interval must be positive: 0s'",
                "tracing: {timeout: 0s}; 'tracing.timeout must be positive: 0s'",
                "tracing: {flush: -1s}; 'tracing.flush must not be negative: -1s'",
                "metrics: {destinations: -1}; metrics.destinations must be from 0 to 10000: -1",
                "logging: {level: loud}; 'logging.level must be one of error, warn, info, debug, trace: loud'",
                "config: {poll-interval: 49ms}; 'config.poll-interval must be from 50ms to 1h, or 0s: 49ms'",
                "config: {poll-interval: 61m}; 'config.poll-interval must be from 50ms to 1h, or 0s: 61m'",
                "tuning: {mode: on}; 'tuning.mode must be one of off, advise, auto: on'",
                "tuning: {max-in-flight: 0}; tuning.max-in-flight must be from 1 to 1000000: 0",
                "tuning: {max-threads: -1}; tuning.max-threads must be from 0 to 1024: -1",
                "tuning: {cpu-ceiling: 101}; tuning.cpu-ceiling must be from 1 to 100: 101",
                "tuning: {tolerated-lag: 0s}; 'tuning.tolerated-lag must be from 1ms to 1h: 0s'",
                "tuning: {catch-up: 999ms}; 'tuning.catch-up must be from 1s to 1h: 999ms'",
                "tuning: {window: 2s}; 'tuning.window must be from 3s to 5m: 2s'",
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
        assertThat(new AdminSettings("127.0.0.1", 1, "s3cr3t", 0).toString()).doesNotContain("s3cr3t");
    }
}
