package io.iocluster.lab.load;

import io.iocluster.lab.load.experiment.Phase;
import io.iocluster.lab.load.result.Environment;
import io.iocluster.lab.load.result.ExpectationOutcome;
import io.iocluster.lab.load.result.FaultMark;
import io.iocluster.lab.load.result.GeneratorResult;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.MetricSeries;
import io.iocluster.lab.load.result.MetricSeries.Sample;
import io.iocluster.lab.load.result.NodeShare;
import io.iocluster.lab.load.result.OutcomeCode;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.TemplateResult;
import io.iocluster.lab.load.result.TimePoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;

/** Results for tests: a phase of 60 s with 100 calls a second whose latencies are random around a value. */
public final class TestResults {

    public static final int SECONDS = 60;
    private static final int RATE = 100;
    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private TestResults() {}

    /** Returns a result without faults and expectations. */
    public static RunResult steady(String name, double millis, long seed) {
        return of(name, millis, seed, List.of(), List.of());
    }

    /** Returns the result of a run with this many more unanswered calls. */
    public static RunResult unanswered(RunResult run, long calls) {
        PhaseResult phase = run.phases().get(0);
        TemplateResult answered = phase.templates().get(0);
        TemplateResult template = new TemplateResult(
                answered.template(),
                answered.sent() + calls,
                Map.of("200", answered.latency().count(), OutcomeCode.UNANSWERED, calls),
                calls,
                answered.latency().withUnanswered(calls),
                answered.errorLatency(),
                answered.node());
        PhaseResult changed = new PhaseResult(
                phase.name(),
                phase.shape(),
                phase.measured(),
                phase.fromSeconds(),
                phase.toSeconds(),
                phase.due() + calls,
                phase.sent() + calls,
                List.of(template));
        return changed(run, run.partialReason(), List.of(changed));
    }

    /** Returns the result with another end and other phases. */
    public static RunResult changed(RunResult run, String partialReason, List<PhaseResult> phases) {
        return changed(run, partialReason, phases, run.series());
    }

    /** Returns the result with other points over time. */
    public static RunResult withSeries(RunResult run, List<TimePoint> series) {
        return changed(run, run.partialReason(), run.phases(), series);
    }

    private static RunResult changed(
            RunResult run, String partialReason, List<PhaseResult> phases, List<TimePoint> series) {
        return new RunResult(
                run.runId(),
                run.name(),
                run.hypothesis(),
                run.system(),
                run.seed(),
                run.startedAt(),
                run.endedAt(),
                partialReason,
                phases,
                series,
                run.intervalSeconds(),
                run.metrics(),
                run.faults(),
                run.expectations(),
                run.search(),
                run.generator(),
                run.environment());
    }

    public static RunResult of(
            String name, double millis, long seed, List<FaultMark> faults, List<ExpectationOutcome> expectations) {
        Random random = new Random(seed);
        Histogram all = new Histogram(LatencyHistogram.DIGITS);
        List<TimePoint> series = new ArrayList<>();
        List<Sample> lags = new ArrayList<>();
        lags.add(new Sample(-1, 0));
        for (int second = 0; second < SECONDS; second++) {
            Histogram interval = new Histogram(LatencyHistogram.DIGITS);
            for (int i = 0; i < RATE; i++) {
                long micros = Math.round(millis * 1e3 * (1 + 0.2 * random.nextDouble()));
                interval.recordValue(micros);
                all.recordValue(micros);
            }
            series.add(new TimePoint(
                    second,
                    "peak",
                    RATE,
                    RATE,
                    RATE,
                    0,
                    5,
                    interval.getValueAtPercentile(50) / 1e3,
                    interval.getValueAtPercentile(90) / 1e3,
                    interval.getValueAtPercentile(99) / 1e3,
                    interval.getMaxValue() / 1e3));
            lags.add(new Sample(second + 0.5, 0.01));
        }
        TemplateResult calls = new TemplateResult(
                name,
                all.getTotalCount(),
                Map.of("200", all.getTotalCount()),
                0,
                LatencyHistogram.copyOf(all),
                LatencyHistogram.EMPTY,
                NodeShare.NONE);
        return new RunResult(
                "run-" + seed,
                name,
                "The hypothesis of " + name,
                "kafka 127.0.0.1:9092",
                seed,
                START,
                START.plusSeconds(SECONDS),
                null,
                List.of(new PhaseResult(
                        "peak",
                        Phase.Shape.CONSTANT,
                        true,
                        0,
                        SECONDS,
                        all.getTotalCount(),
                        all.getTotalCount(),
                        List.of(calls))),
                series,
                1,
                List.of(
                        new MetricSeries(MetricSeries.LAG_SECONDS, "s", lags),
                        new MetricSeries("queries " + name, "", lags)),
                faults,
                expectations,
                null,
                new GeneratorResult(LatencyHistogram.copyOf(all), List.of()),
                new Environment("1.0", "host-1", "Linux", 2, 1L << 33, "17", Map.of("node-1", "1.0")));
    }
}
