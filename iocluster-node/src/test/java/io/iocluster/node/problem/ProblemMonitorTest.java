package io.iocluster.node.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.AttemptTotals.LastError;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.message.ErrorCode;
import io.iocluster.node.TestStatuses;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.node.window.CodeTotals;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.producer.AppQuota;
import io.iocluster.producer.AppStatus;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.time.FakeClock;
import io.iocluster.upstream.UpstreamStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProblemMonitorTest {

    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    private final FakeNode node = new FakeNode();
    private long seconds;
    private CodeTotals totals = new CodeTotals(0, Map.of(), Map.of());
    private final ProblemMonitor monitor = new ProblemMonitor(
            node,
            () -> totals,
            new FakeClock(
                    () -> TimeUnit.SECONDS.toNanos(seconds),
                    () -> START.plusSeconds(seconds).toEpochMilli()),
            null);

    @Test
    void keepsTheStartTimeOfAProblem() {
        runAfter(0);
        assertThat(monitor.problems()).isEmpty();

        node.status = TestStatuses.DISCONNECTED;
        runAfter(5);
        runAfter(7);

        assertThat(monitor.problems().get(0).problem().kind()).isEqualTo(Kind.BROKER_UNREACHABLE);
        assertThat(monitor.problems().get(0).problem().subject()).isEqualTo("one:9092,two:9092");
        assertThat(monitor.problems().get(0).since()).isEqualTo(START.plusSeconds(5));

        node.status = TestStatuses.CONNECTED;
        runAfter(1);
        assertThat(monitor.problems()).isEmpty();

        node.status = TestStatuses.DISCONNECTED;
        runAfter(1);
        assertThat(monitor.problems().get(0).since()).isEqualTo(START.plusSeconds(14));
    }

    @Test
    void namesTheCredentialOfAFailingDestination() {
        node.add(0, 0);
        runAfter(0);
        node.add(10, 10);
        runAfter(1);

        assertThat(monitor.problems())
                .singleElement()
                .satisfies(open -> assertThat(open.problem().action())
                        .isEqualTo("Check the credential key-1 (credentials.key-1)."));
    }

    @Test
    void usesTheAttemptsOfTheLastMinute() {
        node.add(1_000, 0);
        for (int i = 0; i < 4; i++) {
            runAfter(30);
        }

        node.add(10, 10);
        runAfter(1);
        assertThat(monitor.problems())
                .singleElement()
                .satisfies(open -> assertThat(open.problem().severity()).isEqualTo(Severity.BAD));

        node.add(1_000, 0);
        runAfter(1);
        assertThat(monitor.problems()).isEmpty();
    }

    @Test
    void startsOverWhenTheNodeForgetsADestination() {
        node.add(1_000, 0);
        for (int i = 0; i < 4; i++) {
            runAfter(30);
        }

        node.totals = AttemptTotals.NONE;
        node.add(4, 4);
        runAfter(1);

        assertThat(monitor.problems()).hasSize(1);
    }

    @Test
    void reportsTheRejectedCallsAndDeadLettersOfTheLastMinute() {
        totals = new CodeTotals(1_000, Map.of(ErrorCode.TIMEOUT, 500L), Map.of());
        runAfter(30);
        assertThat(monitor.problems()).isEmpty();

        totals = new CodeTotals(
                1_010,
                Map.of(ErrorCode.TIMEOUT, 510L, ErrorCode.INVALID_URL, 20L),
                Map.of(ErrorCode.ANSWER_NOT_PUBLISHED, 2L));
        runAfter(1);
        assertThat(kinds()).containsExactly(Kind.CALLS_REJECTED, Kind.DEAD_LETTERS);

        runAfter(29);
        runAfter(29);
        assertThat(kinds()).containsExactly(Kind.CALLS_REJECTED, Kind.DEAD_LETTERS);

        runAfter(1);
        runAfter(30);
        assertThat(kinds()).isEmpty();
    }

    @Test
    void doesNotReportDeadLettersAsRejectedCalls() {
        totals = new CodeTotals(
                100, Map.of(ErrorCode.MALFORMED_ENVELOPE, 20L), Map.of(ErrorCode.MALFORMED_ENVELOPE, 20L));
        runAfter(1);

        assertThat(kinds()).containsExactly(Kind.DEAD_LETTERS);
    }

    @Test
    void reportsAnAppThatDominatesOnlyIfItKeepsDoingSo() {
        node.status = RecordCopy.with(TestStatuses.CONNECTED, "inFlight", 100, "maxInFlight", 100);
        node.apps = List.of(app("billing", 90), app("shop", 10));
        runAfter(1);
        runAfter(4);
        node.apps = List.of(app("billing", 60), app("shop", 40));
        runAfter(4);
        node.apps = List.of(app("billing", 91), app("shop", 9));
        runAfter(1);
        assertThat(kinds()).isEmpty();

        runAfter(1);
        assertThat(monitor.problems()).singleElement().satisfies(open -> {
            assertThat(open.problem().kind()).isEqualTo(Kind.APP_DOMINATES);
            assertThat(open.since()).isEqualTo(START.plusSeconds(1));
        });

        node.apps = List.of();
        runAfter(4);
        assertThat(kinds()).containsExactly(Kind.APP_DOMINATES);

        runAfter(1);
        assertThat(kinds()).isEmpty();
    }

    private static AppStatus app(String name, int inFlight) {
        return new AppStatus(name, false, inFlight, 0, 0, 0, 0, 0, 0, 0, 0, 0, AppQuota.DEFAULTS);
    }

    private List<Kind> kinds() {
        return monitor.problems().stream().map(open -> open.problem().kind()).toList();
    }

    private void runAfter(int more) {
        seconds += more;
        monitor.runOnce();
    }

    private static final class FakeNode implements MonitoredNode {

        private final NodeSettings settings = SettingsLoading.node("""
                        kafka: {bootstrap-servers: "one:9092,two:9092"}
                        credentials: {key-1: {hosts: [partner.example], bearer: secret}}
                        destinations: [{match: partner.example, name: partner, credential: key-1}]
                        """);

        private PipelineStatus status = TestStatuses.CONNECTED;
        private AttemptTotals totals = AttemptTotals.NONE;
        private List<AppStatus> apps = List.of();

        void add(long ended, long errors) {
            LastError last = errors == 0 ? totals.lastError() : new LastError(401, null, Duration.ZERO);
            totals =
                    new AttemptTotals(totals.started() + ended, totals.ended() + ended, totals.errors() + errors, last);
        }

        @Override
        public NodeSettings settings() {
            return settings;
        }

        @Override
        public PipelineStatus status() {
            return status;
        }

        @Override
        public List<DestinationStatus> destinations() {
            return List.of(TestStatuses.destination("partner", "attempts", totals));
        }

        @Override
        public List<UpstreamStatus> upstreams() {
            return List.of();
        }

        @Override
        public Optional<SharedCacheStatus> sharedCache() {
            return Optional.empty();
        }

        @Override
        public List<AppStatus> apps() {
            return apps;
        }

        @Override
        public ConfigurationStatus configuration() {
            return TestStatuses.NO_FILE;
        }
    }
}
