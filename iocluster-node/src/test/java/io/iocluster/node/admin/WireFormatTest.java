package io.iocluster.node.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheStatus;
import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.AttemptTotals.LastError;
import io.iocluster.destination.ClusterLimits;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.limit.BreakerTrip;
import io.iocluster.destination.operator.OperatorStatus;
import io.iocluster.door.status.DoorInfo;
import io.iocluster.door.status.DoorStatus;
import io.iocluster.door.status.DoorStatus.AppRow;
import io.iocluster.door.status.DoorStatus.SpoolUsage;
import io.iocluster.door.status.DoorUsage;
import io.iocluster.door.status.DoorUsage.Usage;
import io.iocluster.door.traffic.ProblemStatus;
import io.iocluster.hedge.HedgeStatus;
import io.iocluster.message.ErrorCode;
import io.iocluster.node.CompactJson;
import io.iocluster.node.TestStatuses;
import io.iocluster.node.TestTuningStatuses;
import io.iocluster.node.cluster.TestClusterStatuses;
import io.iocluster.node.consul.ConsulStatus;
import io.iocluster.node.metrics.DestinationAttempts;
import io.iocluster.node.metrics.NodeStats;
import io.iocluster.node.metrics.NodeStats.DurationBucket;
import io.iocluster.node.problem.Problem;
import io.iocluster.node.problem.ProblemMonitor.OpenProblem;
import io.iocluster.node.window.RecentFailures;
import io.iocluster.producer.AppQuota;
import io.iocluster.producer.AppStatus;
import io.iocluster.settings.Rate;
import io.iocluster.status.json.StatusMapper;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import io.iocluster.upstream.ConsulUpstreamSettings;
import io.iocluster.upstream.UpstreamState;
import io.iocluster.upstream.UpstreamStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Compares the JSON of sample statuses with a file, so that no change of a record renames or loses a field by accident. */
class WireFormatTest {

    private static final Path FILE = Path.of(System.getProperty("basedir", "."))
            .resolve("src/test/resources/io/iocluster/node/admin/wire-format.json");
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");
    private static final List<DurationBucket> DURATIONS = List.of(new DurationBucket(1_500_000, 7));

    @Test
    void theStatusesHaveTheFieldsOfTheFile() throws IOException {
        ObjectNode all = AdminResponse.object();
        all.set("/api/status", status(TestStatuses.CONNECTED.source()));
        all.set("/api/status of a node that reads nothing", status(paused()));
        all.set("/api/status: problems", StatusMapper.tree(problems()));
        all.set("/api/status: configuration", StatusMapper.object(TestStatuses.REFUSED));
        all.set("/api/status: configuration without a file", StatusMapper.object(TestStatuses.NO_FILE));
        all.set("/api/status: consul", StatusMapper.object(consul()));
        all.set(
                "/api/status: consul without a key",
                StatusMapper.object(new ConsulStatus("http://h", null, null, List.of())));
        all.set("/api/stats", StatusMapper.object(new NodeStats.Timed(Duration.ofMillis(61_500), stats())));
        all.set("/api/attempts", StatusMapper.object(new DestinationAttempts.All(List.of(attempts()))));
        all.set("/api/destinations", StatusMapper.object(Destinations.of(destinations(), ListQuery.DEFAULT)));
        all.set("/api/apps", StatusMapper.object(Apps.of(apps(), ListQuery.DEFAULT)));
        all.set("/api/caches", StatusMapper.object(new Caches(caches(), Optional.of(TestStatuses.SHARED_CACHE))));
        all.set("/api/caches of one node", StatusMapper.object(new Caches(List.of(), Optional.empty())));
        all.set("/api/upstreams", StatusMapper.object(Upstreams.of(upstreams())));
        all.set(
                "/api/failures",
                StatusMapper.object(new RecentFailures.All(failures().groups())));
        all.set("/api/tuning", StatusMapper.object(TestTuningStatuses.GROWING));
        all.set("/api/tuning of a new node", StatusMapper.object(TestTuningStatuses.WITHOUT_DATA));
        all.set("/api/cluster", TestClusterStatuses.report());
        all.set("announcement", AdminResponse.JSON.readTree(TestClusterStatuses.announcement()));
        all.set("/v1/status of a door", StatusMapper.object(door(Optional.of(spool()))));
        all.set("/v1/status of a door without a spool", StatusMapper.object(door(Optional.empty())));

        if (Boolean.getBoolean("update-docs")) {
            Files.writeString(FILE, CompactJson.of(all));
        }
        JsonNode expected = AdminResponse.JSON.readTree(content("wire-format.json"));
        JsonNode written = AdminResponse.JSON.readTree(all.toString());
        expected.forEachEntry(
                (path, json) -> assertThat(written.get(path)).as(path).isEqualTo(json));
        assertThat(written.propertyNames()).containsExactlyElementsOf(expected.propertyNames());
    }

    private static byte[] content(String resource) throws IOException {
        try (InputStream in = WireFormatTest.class.getResourceAsStream(resource)) {
            return in.readAllBytes();
        }
    }

    private static ObjectNode status(SourceStatus source) {
        return StatusMapper.object(NodeStatus.of("node-1", Duration.ofMillis(61_500), TestStatuses.of("kafka", source)))
                .put("version", "1.0.0");
    }

    private static SourceStatus paused() {
        return new SourceStatus(
                false,
                "connection refused",
                Set.of(PauseReason.DRAIN, PauseReason.BACKOFF, PauseReason.OPERATOR),
                1,
                List.of(),
                2,
                3,
                4,
                5,
                6,
                7);
    }

    private static List<OpenProblem> problems() {
        return List.of(new OpenProblem(
                new Problem(
                        Problem.Kind.DESTINATION_FAILING, Problem.Severity.BAD, "partner", "timeout", "text", "action"),
                TIME));
    }

    private static ConsulStatus consul() {
        return new ConsulStatus(
                "http://127.0.0.1:8500",
                new ConsulStatus.KeyStatus("node", false, "connection refused", 7),
                new ConsulStatus.ServiceStatus("node-1", true, null),
                List.of(new ConsulStatus.UpstreamServiceStatus(
                        new ConsulUpstreamSettings("orders", "v2", "dc1"), true, null, 3)));
    }

    private static NodeStats stats() {
        return new NodeStats(1, 2, 3, 4, 5, 6, Duration.ofMillis(7), 8, DURATIONS);
    }

    private static DestinationAttempts attempts() {
        return new DestinationAttempts(
                "partner",
                Map.of("200", 1L, "other", 2L),
                Map.of("timeout", 3L),
                Map.of("no-match", 4L),
                Map.of("won", 5L),
                6,
                DURATIONS);
    }

    private static List<DestinationStatus> destinations() {
        DestinationStatus full = new DestinationStatus(
                "partner",
                true,
                1,
                2,
                3,
                BreakerState.HALF_OPEN,
                new BreakerTrip("status 503", Duration.ZERO),
                4,
                Duration.ofMillis(5),
                new AttemptTotals(6, 7, 8, new LastError(0, ErrorCode.CONNECT_REFUSED, Duration.ofMillis(9))),
                Rate.parse("50/s"),
                new OperatorStatus(
                        new OperatorStatus.Pause(TIME, Duration.ofMillis(10)),
                        new OperatorStatus.Limit(11, Rate.parse("12/m"), TIME, Duration.ofMillis(13))),
                new ClusterLimits(5, 15, Rate.parse("50/s")),
                new HedgeStatus("p95", Duration.ofNanos(12_600_000), 5));
        DestinationStatus plain = new DestinationStatus(
                "a:80",
                false,
                0,
                0,
                0,
                BreakerState.DISABLED,
                null,
                0,
                Duration.ZERO,
                new AttemptTotals(1, 1, 1, new LastError(503, null, Duration.ofMillis(9))),
                Rate.UNLIMITED,
                new OperatorStatus(null, new OperatorStatus.Limit(null, null, TIME, Duration.ZERO)),
                new ClusterLimits(0, null, null),
                new HedgeStatus("p95", null, 5));
        DestinationStatus unused = new DestinationStatus(
                "b:80",
                false,
                0,
                0,
                0,
                BreakerState.CLOSED,
                null,
                0,
                Duration.ZERO,
                AttemptTotals.NONE,
                Rate.UNLIMITED,
                OperatorStatus.NONE,
                null,
                null);
        return List.of(full, plain, unused);
    }

    private static List<AppStatus> apps() {
        AppQuota quota = new AppQuota(11, Rate.parse("12/s"), 13);
        return List.of(
                new AppStatus("shop", true, 1, 2, 3, 4, 5, 6, 7, 8, 9.25, 10.5, quota),
                new AppStatus("billing", false, 0, 0, 0, 0, 0, 0, 0, 0, 27.75, 0, AppQuota.DEFAULTS));
    }

    private static List<CacheStatus> caches() {
        Map<CacheResult, Long> results = Arrays.stream(CacheResult.values())
                .collect(Collectors.toMap(each -> each, each -> 10L + each.ordinal()));
        return List.of(new CacheStatus("partner", results, 1, 2, 3, 4, 5));
    }

    private static List<UpstreamStatus> upstreams() {
        return List.of(
                new UpstreamStatus(
                        "partner", "a:80", "z", UpstreamState.SLOW_START, 0, null, 1, 2.345, 0.12345, 3, 4, 5, 6),
                new UpstreamStatus("partner", "b:80", "", UpstreamState.EJECTED, 7, "status 503", 0, 0, 0, 0, 0, 0, 1));
    }

    private static RecentFailures failures() {
        RecentFailures failures = new RecentFailures(10, () -> TIME);
        failures.add("call-1", null, ErrorCode.INVALID_URL, "no URL", 0);
        return failures;
    }

    private static DoorStatus door(Optional<SpoolUsage> spool) {
        Usage usage = new Usage(1, 2);
        return new DoorStatus(
                new DoorInfo("door-1", "1.0.0", "local"),
                DoorStatus.State.NOT_READY,
                "the broker is not connected",
                TIME,
                61,
                new DoorUsage(usage, usage, usage, usage, usage, usage, usage),
                spool,
                List.of(
                        new AppRow(
                                "shop",
                                true,
                                1,
                                2,
                                3.456,
                                "200/s",
                                4,
                                5,
                                6,
                                7,
                                8,
                                List.of(new ProblemStatus("app-over-quota", 9, TIME))),
                        new AppRow("unknown", false, 0, null, 0, null, 0, 0, 0, 0, 0, List.of())));
    }

    private static SpoolUsage spool() {
        return new SpoolUsage(1.5, new Usage(2, 3), new Usage(4, 5));
    }
}
