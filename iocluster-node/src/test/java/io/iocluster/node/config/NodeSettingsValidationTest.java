package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.binding.SettingsLoading;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that each error names its path and the valid values. */
class NodeSettingsValidationTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "node: {id: a b}; 'node.id must be 1 to 200 letters, digits, and any of . _ : -, without spaces: a b'",
                "transport: nats; 'transport must be one of kafka, rabbit: nats'",
                "rabbit: {uris: [http://h]}; 'rabbit.uris[0] must start with amqp or amqps: http'",
                "admin: {read-only-token: a}; 'admin.read-only-token needs admin.token, because without it anyone on this"
                        + " machine may change the node'",
                "admin: {token: a, read-only-token: a}; admin.read-only-token must differ from admin.token",
                "admin: {actions: {duration: 2d}}; admin.actions.duration must be from 1s to max-duration: 2d",
                "admin: {actions: {max-duration: 500ms}}; admin.actions.max-duration must be from 1s to 365d: 500ms",
                "rabbit: {uris: []}; rabbit.uris must name at least one node",
                "rabbit: {requests: {prefetch: -1}}; rabbit.requests.prefetch must be from 0 to 100000: -1",
                "rabbit: {answers: {routing-key: iocluster.requests}}; rabbit.answers.routing-key must not be the"
                        + " request queue: iocluster.requests",
                "rabbit: {declare: {queue-type: stream}};"
                        + " 'rabbit.declare.queue-type must be one of quorum, classic: stream'",
                "rabbit: {tls: {ca: /no/such}}; rabbit.tls.ca cannot be read: /no/such",
                "rabbit: {management: {uris: [amqp://h]}};"
                        + " 'rabbit.management.uris[0] must start with http or https: amqp'",
                "rabbit: {heartbeat: 1s}; 'rabbit.heartbeat must be from 2s to 1h: 1s'",
                "'kafka: {bootstrap-servers: localhost}'; 'kafka.bootstrap-servers must be host:port, separated"
                        + " by commas: localhost'",
                "kafka: {requests: {auto-offset-reset: middle}}; 'kafka.requests.auto-offset-reset must be one of earliest, latest: middle'",
                "kafka: {answers: {topic: iocluster.requests}};"
                        + " 'kafka.answers.topic must not be one of kafka.requests.topics: iocluster.requests'",
                "door: {spool: {key: 0123456789abcdef}}; door.spool.key must not be set without folder",
                "door: {spool: {folder: s, key: short}}; door.spool.key must have 16 characters or more",
                "door: {spool: {folder: s, max-bytes: 1KiB}}; door.spool.max-bytes must be from 1MiB to 64GiB: 1KiB",
                "door: {spool: {folder: s, max-calls: 0}}; door.spool.max-calls must be from 1 to 10000000: 0",
                "door: {spool: {folder: s, keep: 8d}}; 'door.spool.keep must be from 1s to 7d: 8d'",
                "door: {spool: {folder: s, when-full: wait}}; 'door.spool.when-full must be one of refuse, drop-oldest: wait'",
                "door: {transport: local, spool: {folder: s}}; 'door.spool.folder must not be set with door.transport:"
                        + " local, because there is no broker to wait for'",
                "workers: {threads: -1}; workers.threads must be from 0 to 1024: -1",
                "workers: {max-in-flight: 0}; workers.max-in-flight must be from 1 to 1000000: 0",
                "workers: {max-unconfirmed: 0}; workers.max-unconfirmed must be from 1 to 1000000: 0",
                "workers: {max-waiting: -1}; workers.max-waiting must be from 0 to 1000000: -1",
                "workers: {max-unconfigured-percent: 101}; workers.max-unconfigured-percent must be from 1 to 100: 101",
                "http: {max-timeout: 0s}; http.max-timeout must be positive: 0s",
                "http: {max-timeout: 2d}; http.max-timeout must be at most 1d",
                "workers: {max-destinations: 0}; workers.max-destinations must be from 1 to 1000000: 0",
                "workers: {max-in-flight-bytes: 1KiB}; workers.max-in-flight-bytes must be from 1MiB to 1024GiB: 1KiB",
                "workers: {stall-timeout: 10ms}; workers.stall-timeout must be at least 1s: 10ms",
                "kafka: {confirm-timeout: 1ms}; kafka.confirm-timeout must be from 1s to 1h: 1ms",
                "answers: {slow-after: 1ms}; answers.slow-after must be from 50ms to 1m: 1ms",
                "answers: {give-up-after: 100ms}; answers.give-up-after must be from slow-after to 1h: 100ms",
                "answers: {max-waiting: 1}; answers.max-waiting must be from 2 to 1000000: 1",
                "answers: {max-waiting-bytes: 1KiB}; answers.max-waiting-bytes must be from 1MiB to 1024GiB: 1KiB",
                "answers: {max-bytes-per-reply-to: 1KiB}; answers.max-bytes-per-reply-to must be from 64KiB to 1024GiB: 1KiB",
                "workers: {progress-timeout: 10ms}; workers.progress-timeout must be at least 1s: 10ms",
                "door: {grpc: {enabled: true, port: 8081}}; 'door.grpc.port must not be the port of HTTP, which is 8081'",
                "door: {grpc: {max-streams: 0}}; 'door.grpc.max-streams must be from 1 to 100000: 0'",
                "http: {connect-timeout: 0s}; http.connect-timeout must be positive: 0s",
                "http: {timeout: -1s}; http.timeout must be positive: -1s",
                "http: {deadline: 0s}; http.deadline must be positive: 0s",
                "http: {max-response-body: 1GiB}; http.max-response-body must be from 0B to 256MiB: 1GiB",
                "http: {max-response-body: 100MiB};"
                        + " 'http.max-response-body must be at most a quarter of workers.max-in-flight-bytes (256MiB):"
                        + " 100MiB'",
                "http: {max-request-body: 1GiB}; http.max-request-body must be from 0B to 256MiB: 1GiB",
                "http: {max-response-header-count: 0};" + " http.max-response-header-count must be from 1 to 100000: 0",
                "http: {idle-timeout: -1s}; http.idle-timeout must not be negative: -1s",
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
                "retry: {codes: [deadline-exceeded]}; 'retry.codes[0] must be an error code with the outcome failed:"
                        + " deadline-exceeded'",
                "retry: {max-retry-after: -1s}; retry.max-retry-after must not be negative: -1s",
                "retry: {budget: {percent: -1}}; retry.budget.percent must be from 0 to 1000: -1",
                "retry: {budget: {min-per-second: -1}}; retry.budget.min-per-second must be from 0 to 1000000: -1",
                "destination-defaults: {max-in-flight: -1};"
                        + " destination-defaults.max-in-flight must be from 0 to 1000000: -1",
                "destination-defaults: {borrow-factor: 0}; destination-defaults.borrow-factor must be from 1 to 1000: 0",
                "destination-defaults: {max-waiting: -1}; destination-defaults.max-waiting must be from 0 to 1000000: -1",
                "destination-defaults: {backpressure-timeout: 11s}; destination-defaults.backpressure-timeout must be at most 10s: 11s",
                "destination-defaults: {match: a.example}; destination-defaults.match is not a known key",
                "destinations: [{match: a.example, rate: 200}];"
                        + " 'destinations[0].rate is not a rate such as 200/s, 30/m or unlimited: 200'",
                "destinations: [{match: a.example, rate-per: all}];"
                        + " 'destinations[0].rate-per must be one of node, cluster: all'",
                "{destinations: [{match: a.example, rate-per: cluster}], cluster: {enabled: false}};"
                        + " 'destinations[0].rate-per must not be cluster because cluster.enabled is false'",
                "{destination-defaults: {max-in-flight-per: cluster}, cluster: {enabled: false}};"
                        + " destination-defaults.max-in-flight-per must not be cluster because cluster.enabled is false",
                "destinations: [{match: a.example, timeout: 0s}]; 'destinations[0].timeout must be positive: 0s'",
                "destinations: [{match: a.example, deadline: 0s}]; 'destinations[0].deadline must be positive: 0s'",
                "destinations: [{rate: 1/s}]; 'destinations[0].match must name at least one host'",
                "destinations: [{match: a_b:80}]; 'destinations[0].match[0] is not a host such as partner.example or"
                        + " *.partner.example: a_b:80'",
                "destinations: [{match: a.example, name: a b}];"
                        + " 'destinations[0].name must be up to 100 letters, digits and any of . _ * -: a b'",
                "destinations: [{match: a.example, name: other}];"
                        + " 'destinations[0].name must not be other, the name of the destinations above"
                        + " workers.max-destinations'",
                "destinations: [{match: a.example}, {match: a.example}];"
                        + " 'destinations[1].name is used by another destination: a.example'",
                "destinations: [{match: a.example, breaker: {failure-percent: 0}}];"
                        + " 'destinations[0].breaker.failure-percent must be from 1 to 100: 0'",
                "destination-defaults: {breaker: {window-size: 0}};"
                        + " destination-defaults.breaker.window-size must be from 1 to 100000: 0",
                "destination-defaults: {breaker: {minimum-calls: 101}};"
                        + " 'destination-defaults.breaker.minimum-calls must not be above window-size: 101'",
                "destination-defaults: {breaker: {open-duration: 1ms}};"
                        + " 'destination-defaults.breaker.open-duration must be at least 10ms: 1ms'",
                "destination-defaults: {breaker: {max-open-duration: 1s}};"
                        + " 'destination-defaults.breaker.max-open-duration must not be below open-duration'",
                "destination-defaults: {breaker: {half-open-calls: 0}};"
                        + " destination-defaults.breaker.half-open-calls must be from 1 to 10000: 0",
                "destination-defaults: {breaker: {failure-statuses: [2xx]}}; 'destination-defaults.breaker.failure-statuses[0]"
                        + " must be a status from 300 to 599, or its class: 2xx'",
                "destination-defaults: {expected-statuses: [all]}; 'destination-defaults.expected-statuses[0] is not an HTTP"
                        + " status such as 404, or a class such as 5xx: all'",
                "destination-defaults: {expected-statuses: [302]}; 'destination-defaults.expected-statuses[0] must be a"
                        + " status from 400 to 599, or its class: 302'",
                "destination-defaults: {adaptive-concurrency: {initial-limit: 0}};"
                        + " destination-defaults.adaptive-concurrency.initial-limit must be from 1 to 1000000: 0",
                "destination-defaults: {adaptive-concurrency: {min-limit: 21}};"
                        + " 'destination-defaults.adaptive-concurrency.min-limit must not be above initial-limit: 21'",
                "destination-defaults: {hedge: {after: p100}};"
                        + " 'destination-defaults.hedge.after is not a delay such as off, 200ms, or a percentile from p50 to"
                        + " p99: p100'",
                "destination-defaults: {hedge: {budget-percent: 0}};"
                        + " destination-defaults.hedge.budget-percent must be from 1 to 100: 0",
                "destination-defaults: {hedge: {min-delay: 0s}};"
                        + " destination-defaults.hedge.min-delay must be positive: 0s",
                "{http: {timeout: 0s}, destinations: [{match: a.example}]}; http.timeout must be positive: 0s",
                "node: {warm-up: -1s}; node.warm-up must not be negative: -1s",
                "node: {warm-up: 2h}; node.warm-up must be at most 1h: 2h",
                "shutdown: {drain-timeout: -1s}; shutdown.drain-timeout must not be negative: -1s",
                "admin: {host: \"\"}; admin.host must not be empty",
                "admin: {port: 65536}; admin.port must be from 0 to 65535: 65536",
                "admin: {token: a b}; 'admin.token must be visible ASCII without spaces'",
                "admin: {host: 0.0.0.0}; 'admin.token must be set because host is not a loopback address'",
                "admin: {recent-failures: -1}; admin.recent-failures must be from 0 to 10000: -1",
                "admin: {recent-failures: 10001}; admin.recent-failures must be from 0 to 10000: 10001",
                "admin: {history: 7h}; admin.history must be from 0s to 6h: 7h",
                "admin: {history-destinations: 1001}; admin.history-destinations must be from 0 to 1000: 1001",
                "admin: {max-event-streams: 0}; admin.max-event-streams must be from 1 to 48: 0",
                "admin: {docs-url: 'javascript:alert(1)//'}; 'admin.docs-url must begin with http:// or https://, end with / and"
                        + " have neither ? nor #: javascript:alert(1)//'",
                "admin: {docs-url: https://docs.example}; 'admin.docs-url must begin with http:// or https://, end with / and"
                        + " have neither ? nor #: https://docs.example'",
                "egress: {mode: off}; 'egress.mode must be one of enforce, report, open: off'",
                "http: {dns: {servers: [dns.example]}}; 'http.dns.servers[0] must be an address or address:port:"
                        + " dns.example'",
                "metrics: {otlp: {url: ftp://a/}}; 'metrics.otlp.url must be an http or https URL, such as"
                        + " http://127.0.0.1:4318/v1/traces'",
                "metrics: {otlp: {step: 1ms}}; 'metrics.otlp.step must be from 1s to 1h: 1ms'",
                "metrics: {otlp: {timeout: 0s}}; 'metrics.otlp.timeout must be positive: 0s'",
                "tracing: {url: 'collector:4318'}; 'tracing.url must be an http or https URL, such as"
                        + " http://127.0.0.1:4318/v1/traces'",
                "tracing: {url: 'http://me:secret@collector/'}; 'tracing.url must not contain a user; put"
                        + " credentials into headers'",
                "tracing: {sample-ratio: 1.5}; 'tracing.sample-ratio must be from 0 to 1: 1.5'",
                "tracing: {sample-ratio: half}; 'tracing.sample-ratio must be a number: half'",
                "tracing: {max-queue-size: 0}; 'tracing.max-queue-size must be from 1 to 1000000: 0'",
                "tracing: {max-queue-size: 5, max-batch-size: 6}; 'tracing.max-batch-size must not be above max-queue-size: 6'",
                "tracing: {export-interval: 0s}; 'tracing.export-interval must be positive: 0s'",
                "tracing: {timeout: 0s}; 'tracing.timeout must be positive: 0s'",
                "tracing: {flush-timeout: -1s}; 'tracing.flush-timeout must not be negative: -1s'",
                "metrics: {max-destinations: -1}; metrics.max-destinations must be from 0 to 10000: -1",
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
                "cluster: {announce-interval: 999ms}; 'cluster.announce-interval must be from 1s to 1m: 999ms'",
                "cluster: {share-lease: 999ms}; 'cluster.share-lease must be from 1s to 1m: 999ms'",
                "cluster: {share-lease: 2m}; 'cluster.share-lease must be from 1s to 1m: 2m'",
                "cluster: {expire-after: 2s}; 'cluster.expire-after must be at least 3 times announce-interval, and at"
                        + " most 10m: 2s'",
                "cluster: {max-nodes: 0}; cluster.max-nodes must be from 1 to 1000: 0",
                "logging: {format: xml}; 'logging.format must be one of text, json: xml'",
            })
    void reportsEachError(String yaml, String error) {
        assertThat(SettingsLoading.errors(yaml)).contains(error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "egress: {ports: [0, 70000, abc]}; egress.ports[2] must be a whole number: abc"
                        + " | egress.ports[0] must be from 1 to 65535: 0"
                        + " | egress.ports[1] must be from 1 to 65535: 70000",
                "egress: {ports: [abc, 0]}; egress.ports[0] must be a whole number: abc"
                        + " | egress.ports[1] must be from 1 to 65535: 0",
                "rabbit: {uris: [nonsense, http://h, amqp://h/a/b]}; 'rabbit.uris[0] is not a URI such as"
                        + " scheme://user:password@host:port/path, with %xx for special characters in its parts"
                        + " | rabbit.uris[1] must start with amqp or amqps: http"
                        + " | rabbit.uris[2] has a slash in the virtual host; write %2F: a/b'",
                "retry: {statuses: [x]}; retry.statuses[0] must be a whole number: x",
                "rabbit: {answers: {reply-to: [\"\", a, \"\"]}}; rabbit.answers.reply-to[0] must not be empty"
                        + " | rabbit.answers.reply-to[2] must not be empty",
                "http: {dns: {servers: [9.9.9.9, a, b]}};"
                        + " 'http.dns.servers[1] must be an address or address:port: a"
                        + " | http.dns.servers[2] must be an address or address:port: b'",
                "kafka: {delayed: {tiers: [1m, 1ms]}}; 'kafka.delayed.tiers[1] must be from 100ms to 1d: 1ms'",
                "destinations: [{match: a_b:80, name: a}, {match: b.example}, {match: b.example}];"
                        + " 'destinations[0].match[0] is not a host such as partner.example or *.partner.example: a_b:80"
                        + " | destinations[2].name is used by another destination: b.example'",
            })
    void reportsErrorsInAListWithTheirIndex(String yaml, String errors) {
        assertThat(SettingsLoading.errors(yaml)).containsExactlyInAnyOrder(errors.split(" \\| "));
    }
}
