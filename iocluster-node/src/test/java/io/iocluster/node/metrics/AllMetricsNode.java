package io.iocluster.node.metrics;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheStatus;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.operator.OperatorStatus;
import io.iocluster.hedge.HedgeResult;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.usable.Usability;
import io.iocluster.node.TestStatuses;
import io.iocluster.node.TestTuningStatuses;
import io.iocluster.node.broker.SinkMeters;
import io.iocluster.node.cluster.TestClusterStatuses;
import io.iocluster.node.config.MetricsSettings;
import io.iocluster.node.config.OtlpMetricsSettings;
import io.iocluster.node.consul.ConsulMeters;
import io.iocluster.node.consul.ConsulStatus;
import io.iocluster.node.problem.Problem;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import io.iocluster.node.problem.ProblemMeters;
import io.iocluster.node.problem.ProblemMonitor.OpenProblem;
import io.iocluster.node.reload.ConfigurationMeters;
import io.iocluster.node.tracing.SpanCounts;
import io.iocluster.node.tracing.SpanMeters;
import io.iocluster.node.tuning.TuningMeters;
import io.iocluster.pipeline.event.CallTap;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.producer.AppQuota;
import io.iocluster.producer.AppStatus;
import io.iocluster.settings.Rate;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Traced;
import io.iocluster.upstream.UpstreamState;
import io.iocluster.upstream.UpstreamStatus;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Node metrics with every event recorded at least once, so that a scrape contains every possible metric. */
final class AllMetricsNode {

    /** A destination that has every metric. */
    static final DestinationStatus DESTINATION = TestStatuses.destination(
            "a:80",
            "inFlight",
            1,
            "limit",
            7,
            "retryBudgetExhausted",
            2,
            "rate",
            Rate.parse("5/s"),
            "operator",
            new OperatorStatus(
                    new OperatorStatus.Pause(Instant.EPOCH, Duration.ofSeconds(3)),
                    new OperatorStatus.Limit(1, null, Instant.EPOCH, Duration.ofSeconds(4))));

    private static final AppStatus APP =
            new AppStatus("billing", true, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, AppQuota.DEFAULTS);

    private static final CacheStatus CACHE = new CacheStatus(
            "a:80",
            Arrays.stream(CacheResult.values()).collect(Collectors.toMap(each -> each, each -> 1L)),
            1,
            2,
            3,
            4,
            5);

    private static final UpstreamStatus UPSTREAM =
            new UpstreamStatus("a:80", "b:80", "", UpstreamState.ACTIVE, 0, null, 1, 2, 1, 3, 4, 5, 6);

    private static final ConsulStatus CONSUL = new ConsulStatus(
            "http://127.0.0.1:8500",
            new ConsulStatus.KeyStatus("a", true, null, 7),
            new ConsulStatus.ServiceStatus("iocluster-a", true, null),
            List.of());

    private static final SpanCounts SPANS = new SpanCounts() {
        @Override
        public long exported() {
            return 3;
        }

        @Override
        public long failed() {
            return 2;
        }

        @Override
        public long dropped() {
            return 1;
        }
    };

    private static final Map<String, Map<String, ExposedMetric>> SCRAPED = new ConcurrentHashMap<>();

    private AllMetricsNode() {}

    /** Returns the metrics of a scrape. */
    static Map<String, ExposedMetric> scraped(String transport) {
        return SCRAPED.computeIfAbsent(transport, AllMetricsNode::scrape);
    }

    private static Map<String, ExposedMetric> scrape(String transport) {
        return ExposedMetric.in(new String(text(transport), StandardCharsets.UTF_8));
    }

    static byte[] text(String transport) {
        // No collector listens, and nothing is exported before the close.
        OtlpMetricsSettings otlp = new OtlpMetricsSettings(
                true, "http://127.0.0.1:9/", Duration.ofHours(1), Duration.ofMillis(1), Map.of(), Map.of());
        try (NodeMetrics metrics = new NodeMetrics(
                "node-1", transport, new MetricsSettings(2, 200, otlp), 10, CallTap.NONE, Platform.system())) {
            metrics.bind(new ConfigurationMeters(() -> TestStatuses.REFUSED));
            metrics.bind(new SinkMeters(() -> 1));
            metrics.bind(new AppMeters(() -> List.of(APP)));
            metrics.bind(new CacheMeters(() -> List.of(CACHE)));
            metrics.bind(new SharedCacheMeters(() -> Optional.of(TestStatuses.SHARED_CACHE)));
            metrics.bind(new UpstreamMeters(() -> List.of(UPSTREAM), 200));
            metrics.bind(new ProblemMeters(() -> List.of(new OpenProblem(
                    new Problem(Kind.DESTINATION_FAILING, Severity.BAD, "a:80", "timeout", "text", "action"),
                    Instant.EPOCH))));
            metrics.bind(new CertificateMeters(Set.of(certificate())));
            metrics.bind(new TuningMeters(() -> TestTuningStatuses.GROWING));
            metrics.bind(new SpanMeters(SPANS));
            metrics.bind(new ConsulMeters(() -> CONSUL));
            metrics.bind(TestClusterStatuses.meters());
            recordEveryEvent(metrics.events());
            var status = transport.equals("kafka") ? TestStatuses.CONNECTED : TestStatuses.ON_RABBIT;
            return metrics.scrape(status, List.of(DESTINATION), null).text();
        }
    }

    private static Path certificate() {
        try {
            Path file = Files.createTempFile("iocluster-certificate", ".pem");
            file.toFile().deleteOnExit();
            X509Bundle own = new CertificateBuilder()
                    .ecp256()
                    .subject("CN=node")
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
            return Files.writeString(file, own.getCertificatePEM());
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void recordEveryEvent(PipelineEvents events) {
        events.received(40);
        events.attempted("a:80", 0);
        events.attemptEnded(
                "a:80", new HttpResult.Response(200, List.of(), new byte[0], false, AttemptTiming.NONE), 1_000);
        events.attemptEnded("a:80", AttemptMetersTest.response(200).withUsability(Usability.NO_MATCH), 1_000);
        events.callError("a:80", ErrorCode.TIMEOUT);
        events.retried("a:80", "503");
        events.delayed("a:80", "503");
        events.hedged("a:80", HedgeResult.WON);
        events.callEnded("a:80", Outcome.ANSWERED, 200, null, 1_000, Traced.UNTRACED);
        events.acknowledged(80, Traced.UNTRACED);
        events.released();
        events.answerRepublished();
        events.answerDiverted(true);
        events.deadLettered(ErrorCode.MALFORMED_ENVELOPE);
        events.egressViolation(ErrorCode.ADDRESS_NOT_ALLOWED);
        events.watchdogTimeout("partner");
        events.workerReplaced("worker-1");
    }
}
