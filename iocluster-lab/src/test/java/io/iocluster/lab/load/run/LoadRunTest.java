package io.iocluster.lab.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.lab.load.TestExperiments;
import io.iocluster.lab.load.data.CallSpec;
import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.fault.FakeInjector;
import io.iocluster.lab.load.metric.MetricReader.Reading;
import io.iocluster.lab.load.result.ExpectationOutcome.State;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.TemplateResult;
import io.iocluster.lab.load.schedule.LoadClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadRunTest {

    private static final String REQUESTS = """
            requests:
              - {name: good, url: "http://h/good/{{call.number}}", weight: 3}
              - {name: bad, url: "http://h/bad/{{call.number}}"}
            metrics-interval: 20ms
            """;

    /** For calls that never end. */
    private static final String SHORT_DRAIN = "drain-timeout: 200ms\n";

    @TempDir
    private Path folder;

    private final FakeInjector injector = new FakeInjector();
    private volatile double lagSeconds;

    @Test
    void everyCallIsCountedInItsPhaseAndTemplateByItsCode() throws IOException {
        RunResult result = run("""
                phases:
                  - {name: warm, rate: 200/s, duration: 100ms, measured: false}
                  - {name: peak, rate: 1000/s, duration: 300ms}
                expectations:
                  - error-share in peak > 10%
                  - error-share of good < 1%
                  - p50 < 1m
                  - p99.9 < 1m
                """, call -> call.template() == 0 ? "200" : "503");
        PhaseResult peak = result.phase("peak").orElseThrow();
        TemplateResult good = peak.templates().get(0);
        TemplateResult bad = peak.templates().get(1);

        assertThat(result.isComplete()).isTrue();
        assertThat(result.phases()).extracting(PhaseResult::due).containsExactly(20L, 300L);
        assertThat(result.phases()).extracting(PhaseResult::sent).containsExactly(20L, 300L);
        assertThat(good.outcomes()).containsOnlyKeys("200");
        assertThat(bad.outcomes()).containsOnlyKeys("503");
        assertThat(good.ended() + bad.ended()).isEqualTo(300);
        assertThat(bad.errors()).isEqualTo(bad.ended());
        assertThat(peak.total().latency().count()).isEqualTo(300);
        assertThat(peak.total().node().queue().meanMillis()).isBetween(0.99, 1.01);
        assertThat(peak.total().node().waiting().meanMillis()).isBetween(1.99, 2.01);
        assertThat(peak.total().node().attempt().meanMillis()).isBetween(2.99, 3.01);
        assertThat(peak.total().node().rest().count()).isEqualTo(300);
        assertThat(result.metrics().get(0).samples().get(0).seconds()).isNegative();
        assertThat(result.metrics().get(0).samples().get(1).seconds()).isNotNegative();
        assertThat(result.expectations())
                .extracting(outcome -> outcome.state())
                .containsExactly(State.MET, State.MET, State.MET, State.UNKNOWN);
        assertThat(result.isSuccess()).isFalse();
        assertThat(result.generator().scheduleError().count()).isEqualTo(300);
    }

    @Test
    void callsWithoutAnAnswerAtTheEndAreUnansweredErrors() throws IOException {
        RunResult result = run(
                SHORT_DRAIN
                        + "phases: [{name: p, rate: 500/s, duration: 100ms}]\n"
                        + "expectations: [unanswered > 1, error-share < 1%]\n",
                call -> call.template() == 0 ? "200" : null);
        TemplateResult bad = result.phases().get(0).templates().get(1);

        assertThat(bad.outcomes()).containsOnlyKeys("unanswered");
        assertThat(bad.errors()).isEqualTo(bad.sent()).isPositive();
        assertThat(result.expectations()).extracting(each -> each.state()).containsExactly(State.MET, State.FAILED);
    }

    @Test
    void theLatencyOfCallsWithoutAnAnswerIsUnknown() throws IOException {
        RunResult result = run(
                SHORT_DRAIN
                        + "phases: [{name: p, rate: 500/s, duration: 100ms}]\n"
                        + "expectations: [max < 1m, mean < 1m, p50 < 1m]\n",
                call -> null);

        assertThat(result.expectations()).extracting(each -> each.state()).containsOnly(State.UNKNOWN);
    }

    @Test
    void callsWithoutAnAnswerAreSlowerThanAllOthers() throws IOException {
        RunResult result = run(
                SHORT_DRAIN
                        + "phases: [{name: p, rate: 1000/s, duration: 200ms}]\n"
                        + "expectations: [p50 < 1m, p90 < 1m, max < 1m]\n",
                call -> call.template() == 0 ? "200" : null);

        assertThat(result.expectations())
                .extracting(each -> each.state())
                .containsExactly(State.MET, State.UNKNOWN, State.UNKNOWN);
        assertThat(result.expectations().get(1).actual()).matches("\\d+ of 200 calls have no answer");
    }

    @Test
    void callsThatWereNotSentAreSlowerThanAllOthers() throws IOException {
        RunResult result = run(
                "phases: [{name: p, rate: 1000/s, duration: 200ms}]\n"
                        + "expectations: [p50 < 1m, p90 < 1m, max < 1m, unanswered <= 0]\n",
                call -> call.template() == 0 ? "200" : "client-full");
        TemplateResult bad = result.phases().get(0).templates().get(1);

        assertThat(bad.sent()).isZero();
        assertThat(bad.latency().unanswered()).isEqualTo(bad.errors()).isPositive();
        assertThat(result.expectations())
                .extracting(each -> each.state())
                .containsExactly(State.MET, State.UNKNOWN, State.UNKNOWN, State.MET);
        assertThat(result.expectations().get(1).actual()).matches("\\d+ of 200 calls have no answer");
    }

    @Test
    void usersMakeOneCallAtATime() throws IOException {
        LoadRun[] run = new LoadRun[1];
        try (FakeTarget target = new FakeTarget(7, stopAfter(70, run))) {
            run[0] = start("phases: [{name: p, shape: users, users: 7, duration: 1m}]\n", target);
            RunResult result = run[0].run();

            assertThat(target.maxInFlight()).isEqualTo(7);
            assertThat(result.phases().get(0).sent())
                    .isEqualTo(target.received())
                    .isEqualTo(70);
        }
    }

    @Test
    void aUserPausesBeforeItsNextCall() throws IOException {
        LoadRun[] run = new LoadRun[1];
        try (FakeTarget target = new FakeTarget(stopAfter(6, run))) {
            run[0] = start("phases: [{name: p, shape: users, users: 2, think-time: 100ms, duration: 1m}]\n", target);
            long start = System.nanoTime();
            run[0].run();

            // At least one of the two users made three calls, with two pauses between them.
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
            assertThat(target.received()).isEqualTo(6);
        }
    }

    /** Returns 200 for each call, and stops the run at the last of this number of calls. */
    private static Function<CallSpec, String> stopAfter(int calls, LoadRun[] run) {
        AtomicInteger received = new AtomicInteger();
        return call -> {
            if (received.incrementAndGet() == calls) {
                run[0].stop("enough");
            }
            return "200";
        };
    }

    @Test
    void aReplaySendsTheRecordedCalls() throws IOException {
        Files.writeString(folder.resolve("c.ndjson"), """
                {"at": 0, "url": "http://h/1"}
                {"at": 40, "url": "http://h/2"}
                {"at": 80, "url": "http://h/3"}
                """);
        RunResult result = run("phases: [{name: p, shape: replay, file: c.ndjson, speed: 2}]\n", call -> "200");

        assertThat(result.phases().get(0).templates())
                .singleElement()
                .satisfies(template -> assertThat(template.outcomes()).containsEntry("200", 3L));
    }

    @Test
    void aStoppedRunSendsNothingMoreUndoesItsFaultsAndIsPartial() throws IOException {
        try (FakeTarget target = new FakeTarget(call -> "200")) {
            LoadRun[] run = new LoadRun[1];
            run[0] = start("""
                    phases:
                      - {name: p, rate: 100/s, duration: 1h}
                      - {name: never, rate: 100/s, duration: 1h}
                    faults: [{name: f, action: command, run: [a], at: 30ms}]
                    """, target, new RunListener() {
                @Override
                public void fault(io.iocluster.lab.load.result.FaultMark mark) {
                    run[0].stop("interrupted");
                }
            });
            RunResult result = run[0].run();
            int received = target.received();

            assertThat(result.partialReason()).isEqualTo("interrupted");
            assertThat(result.isSuccess()).isFalse();
            assertThat(result.phases()).extracting(PhaseResult::name).containsExactly("p");
            assertThat(result.phases().get(0).due()).isLessThan(1_000);
            assertThat(injector.events).containsExactly("start f", "undo f");
            assertThat(result.faults()).singleElement().satisfies(mark -> {
                assertThat(mark.toSeconds()).isNotNull();
                assertThat(mark.problem()).isNull();
            });
            assertThat(target.received()).isEqualTo(received);
        }
    }

    @Test
    void faultsStartAndEndWhenTheyAreDueAndTheNewestIsUndoneFirst() throws IOException {
        injector.startFailures.put("broken", "broken");
        RunResult result = run("""
                phases:
                  - {name: a, rate: 10/s, duration: 100ms}
                  - {name: b, rate: 10/s, duration: 300ms}
                faults:
                  - {name: short, action: command, run: [x], phase: b, duration: 10ms}
                  - {name: long, action: command, run: [x], phase: b, at: 20ms}
                  - {name: longer, action: command, run: [x], phase: b, at: 40ms}
                  - {name: broken, action: command, run: [x], phase: a}
                """, call -> {
            if (call.url().endsWith("/3")) {
                // The phase must not end before its faults are due.
                await().until(() -> injector.events.containsAll(List.of("undo short", "start longer")));
            }
            return "200";
        });

        assertThat(injector.events)
                .hasSize(6)
                .containsSubsequence("start short", "undo short")
                .containsSubsequence("start long", "start longer", "undo longer", "undo long");
        assertThat(result.faults())
                .filteredOn(mark -> mark.problem() != null)
                .singleElement()
                .satisfies(mark -> assertThat(mark.problem()).isEqualTo("was not started: broken"));
        assertThat(result.isSuccess()).isFalse();
    }

    @Test
    void aPhaseMayHaveTheNameOfTheTimeAfterAllPhases() throws IOException {
        run("""
                phases: [{name: drain, rate: 100/s, duration: 200ms}]
                faults: [{name: f, action: command, run: [x]}]
                """, call -> {
            if (call.url().endsWith("/19")) {
                // The phase must not end before the fault has started.
                await().until(() -> injector.events.contains("start f"));
            }
            return "200";
        });

        assertThat(injector.events).containsExactly("start f", "undo f");
    }

    @Test
    void aRunWaitsForALagThatMayTakeSomeTime() throws IOException {
        lagSeconds = 5;
        try (FakeTarget target = new FakeTarget(call -> {
            if (call.url().endsWith("/19")) {
                lagSeconds = 0.2;
            }
            return "200";
        })) {
            RunResult result = start("""
                            system: {nodes: ["http://127.0.0.1:1"]}
                            phases: [{name: p, rate: 20/s, duration: 1s}]
                            expectations: [lag < 1s within 10s, lag < 1s]
                            """, target).run();

            assertThat(result.expectations()).extracting(each -> each.state()).containsExactly(State.MET, State.FAILED);
        }
    }

    @Test
    void aSearchFindsTheRateAtWhichTheObjectiveFails() throws IOException {
        RunResult result = run("""
                phases:
                  - {name: s, shape: search, from: 100/s, to: 140/s, trial: 1s, precision: 0.5, objective: [errors < 120]}
                expectations: [best-rate > 50/s]
                """, call -> "503");

        assertThat(result.search().bestRate()).isEqualTo(100);
        assertThat(result.search().failedRate()).isEqualTo(140);
        assertThat(result.search().trials().get(0).met()).isTrue();
        assertThat(result.expectations().get(0).state()).isEqualTo(State.MET);
        assertThat(result.phases())
                .singleElement()
                .satisfies(phase -> assertThat(phase.sent()).isEqualTo(240));
    }

    @Test
    void aRunEndsWhenAFeederHasNoRowsLeft() throws IOException {
        try (FakeTarget target = new FakeTarget(call -> "200")) {
            RunResult result = new LoadRun(
                            TestExperiments.experiment(folder.resolve("e.yaml"), """
                                    requests: [{name: r, url: "http://h/{{f.id}}"}]
                                    feeders: [{name: f, values: {id: [a, b]}, order: unique}]
                                    phases: [{name: p, rate: 100/s, duration: 1h}]
                                    """),
                            parts(target, List.of()),
                            Share.ALL)
                    .run();

            assertThat(target.received()).isEqualTo(2);
            assertThat(result.partialReason()).isEqualTo("p: a feeder with order: unique has no rows left");
        }
    }

    private RunResult run(String yaml, Function<CallSpec, String> code) throws IOException {
        try (FakeTarget target = new FakeTarget(code)) {
            return start(yaml, target).run();
        }
    }

    private LoadRun start(String yaml, FakeTarget target, RunListener... listeners) throws IOException {
        ExperimentFile file = TestExperiments.experiment(folder.resolve("e.yaml"), REQUESTS + yaml);
        return new LoadRun(file, parts(target, List.of(listeners)), Share.ALL);
    }

    private RunParts parts(FakeTarget target, List<RunListener> listeners) {
        return new RunParts(
                "run-1",
                "test",
                target,
                injector,
                () -> List.of(new Reading("lag seconds", "s", lagSeconds)),
                listeners,
                LoadClock.SYSTEM);
    }
}
