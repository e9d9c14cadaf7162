package io.iocluster.node.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.AttemptTotals.LastError;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.message.ErrorCode;
import io.iocluster.node.TestStatuses;
import io.iocluster.node.TestTuningStatuses;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.node.tuning.TuningStatus;
import io.iocluster.node.window.CodeTotals;
import io.iocluster.node.window.CodeTotals.NotMade;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.event.UnpublishedAnswers;
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
    private CodeTotals totals = new CodeTotals(0, Map.of(), Map.of(), Map.of());
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
        runAfter(3);
        assertThat(kinds()).containsExactly(Kind.DESTINATION_FAILING);
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
        totals = new CodeTotals(1_000, Map.of(ErrorCode.TIMEOUT, 500L), Map.of(), Map.of());
        runAfter(30);
        assertThat(monitor.problems()).isEmpty();

        totals = new CodeTotals(
                1_010,
                Map.of(ErrorCode.TIMEOUT, 510L, ErrorCode.INVALID_URL, 20L),
                Map.of(ErrorCode.ANSWER_NOT_PUBLISHED, 2L),
                Map.of());
        runAfter(1);
        assertThat(kinds()).containsExactly(Kind.CALLS_REJECTED, Kind.DEAD_LETTERS);

        // The 20 rejections are over after some seconds, the two dead letters only after three times the half minute to
        // the next one.
        runAfter(5);
        assertThat(kinds()).containsExactly(Kind.CALLS_REJECTED, Kind.DEAD_LETTERS);
        runAfter(6);
        runAfter(5);
        assertThat(kinds()).containsExactly(Kind.DEAD_LETTERS);

        runAfter(15);
        runAfter(5);
        assertThat(kinds()).isEmpty();
    }

    @Test
    void doesNotReportDeadLettersAsRejectedCalls() {
        totals = new CodeTotals(
                100, Map.of(ErrorCode.MALFORMED_ENVELOPE, 20L), Map.of(ErrorCode.MALFORMED_ENVELOPE, 20L), Map.of());
        runAfter(1);

        assertThat(kinds()).containsExactly(Kind.DEAD_LETTERS);
    }

    @Test
    void namesTheLargestAppOnlyIfItGrew() {
        node.status = RecordCopy.with(TestStatuses.CONNECTED, "inFlight", 100, "maxInFlight", 100);
        for (int i = 1; i <= 30; i++) {
            node.apps = List.of(app("billing", 90, 900 * i), app("shop", 10, 100 * i));
            runAfter(1);
        }
        assertThat(kinds()).isEmpty();

        for (int i = 1; i <= 12; i++) {
            node.apps = List.of(app("billing", 9, 27_000 + 900 * i), app("shop", 91, 3_000 + 90_000 * i));
            runAfter(1);
        }
        assertThat(monitor.problems()).singleElement().satisfies(open -> {
            assertThat(open.problem().kind()).isEqualTo(Kind.APP_DOMINATES);
            assertThat(open.problem().subject()).isEqualTo("shop");
        });

        node.apps = List.of();
        runAfter(4);
        assertThat(kinds()).containsExactly(Kind.APP_DOMINATES);

        runAfter(1);
        assertThat(kinds()).isEmpty();
    }

    /** Messages wait for slots, as they do in a node that is too small, while all apps send as usual. */
    @Test
    void saysHowManySlotsAreMissing() {
        node.tuning = growing();
        totals = expired(0);
        for (int i = 1; i <= 12; i++) {
            totals = expired(30L * i);
            runAfter(1);
        }

        assertThat(monitor.problems()).singleElement().satisfies(open -> {
            assertThat(open.problem().kind()).isEqualTo(Kind.NODE_TOO_SMALL);
            assertThat(open.problem().severity()).isEqualTo(Severity.BAD);
            assertThat(open.problem().text())
                    .isEqualTo(
                            "The node has too few slots: 1,234 messages wait. 30 calls a second to partner are not made in"
                                    + " time: deadline-exceeded (the call's deadline passed).");
            assertThat(open.problem().action())
                    .isEqualTo("Set workers.max-in-flight to 600, if the targets can take more calls at once.");
        });
    }

    @Test
    void namesNoConsequenceAfterItsCauseIsOver() {
        node.tuning = growing();
        for (int i = 1; i <= 12; i++) {
            totals = expired(30L * i);
            runAfter(1);
        }

        node.tuning = TestTuningStatuses.WITHOUT_DATA;
        totals = expired(31 * 12);
        for (int i = 0; i < 5; i++) {
            runAfter(1);
        }
        assertThat(kinds()).isEmpty();
        for (int i = 0; i < 20; i++) {
            totals = expired(400 + 30L * i);
            runAfter(1);
        }
        assertThat(kinds()).containsExactly(Kind.CALLS_NOT_MADE);
    }

    @Test
    void namesADestinationThatBecameSlow() {
        for (int i = 1; i <= 40; i++) {
            node.inFlight = 5;
            node.totals = new AttemptTotals(100L * i, 100L * i, 0, null);
            runAfter(1);
        }
        node.tuning = growing();
        for (int i = 1; i <= 12; i++) {
            node.inFlight = 40;
            node.waiting = 200;
            node.totals = new AttemptTotals(4_000 + 20L * i, 4_000 + 20L * i, 0, null);
            runAfter(1);
        }

        assertThat(monitor.problems()).singleElement().satisfies(open -> {
            assertThat(open.problem().kind()).isEqualTo(Kind.DESTINATION_SLOW);
            assertThat(open.problem().text())
                    .matches(
                            "Destination partner is slow: its calls take 2[.]0 s, usually 5\\d ms[.] 40 are in flight, and"
                                    + " 200 wait[.]");
        });
    }

    @Test
    void saysThatADestinationRecoversBeforeItIsOver() {
        node.add(0, 0);
        runAfter(1);
        node.add(100, 100);
        runAfter(1);
        node.lastErrorAge = Duration.ofSeconds(4);
        node.add(50, 0);
        runAfter(1);

        assertThat(monitor.problems())
                .singleElement()
                .satisfies(open -> assertThat(open.problem().text())
                        .endsWith("the last with status 401. It recovers: no error for 4 s."));
        node.lastErrorAge = Duration.ofSeconds(6);
        runAfter(4);
        runAfter(1);
        assertThat(kinds()).isEmpty();
    }

    private static CodeTotals expired(long count) {
        return new CodeTotals(
                2 * count, Map.of(), Map.of(), Map.of(new NotMade("partner", ErrorCode.DEADLINE_EXCEEDED), count));
    }

    private static TuningStatus growing() {
        return RecordCopy.with(TestTuningStatuses.GROWING, "mode", Mode.ADVISE);
    }

    private static AppStatus app(String name, int inFlight, long answered) {
        return new AppStatus(name, false, inFlight, 0, answered, 0, 0, 0, 0, 0, 0, 0, AppQuota.DEFAULTS);
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
        private boolean hasErrors;
        private Duration lastErrorAge = Duration.ZERO;
        private int inFlight;
        private int waiting;
        private TuningStatus tuning = TestTuningStatuses.WITHOUT_DATA;
        private List<AppStatus> apps = List.of();

        void add(long ended, long errors) {
            hasErrors |= errors > 0;
            totals =
                    new AttemptTotals(totals.started() + ended, totals.ended() + ended, totals.errors() + errors, null);
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
            LastError last = hasErrors ? new LastError(401, null, lastErrorAge) : null;
            return List.of(TestStatuses.destination(
                    "partner",
                    "inFlight",
                    inFlight,
                    "waiting",
                    waiting,
                    "attempts",
                    RecordCopy.with(totals, "lastError", last)));
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
        public List<UnpublishedAnswers> unpublishedAnswers() {
            return List.of();
        }

        @Override
        public TuningStatus tuning() {
            return tuning;
        }

        @Override
        public ConfigurationStatus configuration() {
            return TestStatuses.NO_FILE;
        }
    }
}
