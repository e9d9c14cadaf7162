package io.iocluster.lab.load.compare;

import io.iocluster.lab.load.compare.ComparedFigure.Better;
import io.iocluster.lab.load.compare.ComparedFigure.Verdict;
import io.iocluster.lab.load.report.Figures;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.MetricSeries;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.TimePoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** Compares the phases that two runs have in common. Immutable. */
public final class RunComparison {

    private static final double[] PERCENTILES = {50, 90, 99, 99.9};

    /** Two-sided 95 % quantile of the normal distribution. */
    private static final double NORMAL_QUANTILE = 1.96;

    private final RunResult a;
    private final RunResult b;
    private final List<ComparedFigure> figures = new ArrayList<>();

    public RunComparison(RunResult a, RunResult b) {
        this.a = a;
        this.b = b;
        for (PhaseResult phase : a.phases()) {
            b.phase(phase.name()).ifPresent(other -> compare(phase, other));
        }
    }

    RunResult a() {
        return a;
    }

    RunResult b() {
        return b;
    }

    List<ComparedFigure> figures() {
        return List.copyOf(figures);
    }

    /** Returns whether the runs have a phase in common. */
    boolean hasFigures() {
        return !figures.isEmpty();
    }

    /** Returns whether a figure of a measured phase became worse by more than its noise. */
    boolean isWorse() {
        return figures.stream()
                .anyMatch(each -> each.verdict() == Verdict.WORSE
                        && a.phase(each.phase()).filter(PhaseResult::measured).isPresent());
    }

    /** Returns whether both runs are complete. */
    boolean isComplete() {
        return a.isComplete() && b.isComplete();
    }

    /** Returns whether the runs could be compared and nothing became worse. */
    public boolean isGood() {
        return isComplete() && hasFigures() && !isWorse();
    }

    /** Returns reasons why the runs may not be comparable. */
    List<String> differences() {
        List<String> differences = new ArrayList<>();
        differs(differences, "experiment", a.name(), b.name());
        differs(differences, "system", a.system(), b.system());
        differs(differences, "host", a.environment().host(), b.environment().host());
        differs(
                differences,
                "processors",
                Integer.toString(a.environment().processors()),
                Integer.toString(b.environment().processors()));
        differs(differences, "Java", a.environment().java(), b.environment().java());
        differs(
                differences,
                "IOCluster",
                a.environment().version(),
                b.environment().version());
        for (PhaseResult phase : a.phases()) {
            b.phase(phase.name())
                    .ifPresentOrElse(
                            other -> differs(
                                    differences,
                                    "due rate of phase " + phase.name(),
                                    Figures.rate(phase.intendedRate()),
                                    Figures.rate(other.intendedRate())),
                            () -> differences.add("phase " + phase.name() + ": only in A"));
        }
        b.phases().stream()
                .filter(phase -> a.phase(phase.name()).isEmpty())
                .forEach(phase -> differences.add("phase " + phase.name() + ": only in B"));
        if (!a.isComplete()) {
            differences.add("A is incomplete: " + a.partialReason());
        }
        if (!b.isComplete()) {
            differences.add("B is incomplete: " + b.partialReason());
        }
        return differences;
    }

    private static void differs(List<String> differences, String what, String a, String b) {
        if (!a.equals(b)) {
            differences.add(what + ": " + a + " in A, " + b + " in B");
        }
    }

    private void compare(PhaseResult inA, PhaseResult inB) {
        String phase = inA.name();
        add(phase, "answered rate", Figures::rate, Better.HIGHER, rate(a, inA), rate(b, inB), point -> point.ended());
        add(
                phase,
                "error share",
                Figures::share,
                Better.LOWER,
                inA.total().errorShare(),
                inB.total().errorShare(),
                point -> point.ended() == 0 ? Double.NaN : (double) point.errors() / point.ended());
        LatencyHistogram latencyOfA = inA.total().latency();
        LatencyHistogram latencyOfB = inB.total().latency();
        for (double percentile : PERCENTILES) {
            double noise = Math.hypot(rankNoise(latencyOfA, percentile), rankNoise(latencyOfB, percentile));
            ToDoubleFunction<TimePoint> ofInterval = ofInterval(percentile);
            if (ofInterval != null) {
                double overTime = noise(inA, inB, ofInterval, 1, 1);
                // With few calls in each interval, percentiles of intervals are unknown, so only the ranks count.
                noise = Double.isFinite(overTime) ? Math.max(noise, overTime) : noise;
            }
            figures.add(new ComparedFigure(
                    phase,
                    LatencyHistogram.name(percentile),
                    Figures::millis,
                    latencyOfA.percentileMillis(percentile).orElse(Double.NaN),
                    latencyOfB.percentileMillis(percentile).orElse(Double.NaN),
                    noise,
                    Better.LOWER));
        }
        addMetric(inA, inB, MetricSeries.LAG_SECONDS, "mean lag", value -> Figures.millis(value * 1e3));
        addMetric(inA, inB, MetricSeries.CPU_CORES, "mean CPU in cores", Figures::number);
    }

    private static ToDoubleFunction<TimePoint> ofInterval(double percentile) {
        if (percentile == 50) {
            return point -> orNaN(point.p50Millis());
        }
        if (percentile == 90) {
            return point -> orNaN(point.p90Millis());
        }
        return percentile == 99 ? point -> orNaN(point.p99Millis()) : null;
    }

    private static double orNaN(Double value) {
        return value == null ? Double.NaN : value;
    }

    /** Returns the calls that ended in the intervals of the phase, per second. */
    private static double rate(RunResult run, PhaseResult phase) {
        return Arrays.stream(values(run, phase, point -> point.ended()))
                        .average()
                        .orElse(Double.NaN)
                / run.intervalSeconds();
    }

    private void add(
            String phase,
            String name,
            DoubleFunction<String> format,
            Better better,
            double valueOfA,
            double valueOfB,
            ToDoubleFunction<TimePoint> ofInterval) {
        PhaseResult inA = a.phase(phase).orElseThrow();
        PhaseResult inB = b.phase(phase).orElseThrow();
        boolean isRate = better == Better.HIGHER;
        double noise = noise(inA, inB, ofInterval, isRate ? a.intervalSeconds() : 1, isRate ? b.intervalSeconds() : 1);
        figures.add(new ComparedFigure(phase, name, format, valueOfA, valueOfB, noise, better));
    }

    private double noise(
            PhaseResult inA,
            PhaseResult inB,
            ToDoubleFunction<TimePoint> ofInterval,
            double secondsOfA,
            double secondsOfB) {
        return NoiseBand.ofDifference(
                        values(a, inA, point -> ofInterval.applyAsDouble(point) / secondsOfA),
                        values(b, inB, point -> ofInterval.applyAsDouble(point) / secondsOfB))
                .orElse(Double.NaN);
    }

    /** Returns a value for each interval that is completely in the phase. */
    private static double[] values(RunResult run, PhaseResult phase, ToDoubleFunction<TimePoint> value) {
        return run.series().stream()
                .filter(point -> point.second() >= phase.fromSeconds()
                        && point.second() + run.intervalSeconds() <= phase.toSeconds() + 0.5)
                .mapToDouble(value)
                .toArray();
    }

    /**
     * Returns the distance to the values whose ranks are 1.96 standard deviations away from the percentile's rank; NaN if there are
     * too few calls for the percentile, or if its call has no answer.
     */
    private static double rankNoise(LatencyHistogram latency, double percentile) {
        if (!Double.isFinite(latency.percentileMillis(percentile).orElse(Double.NaN))) {
            return Double.NaN;
        }
        Histogram micros = latency.toHistogram();
        double share = percentile / 100;
        double ranks = NORMAL_QUANTILE * Math.sqrt(share * (1 - share) / latency.calls()) * 100;
        double low = micros.getValueAtPercentile(Math.max(0, latency.ofValues(percentile - ranks)));
        double high = micros.getValueAtPercentile(Math.min(100, latency.ofValues(percentile + ranks)));
        return (high - low) / 2 / 1e3;
    }

    private void addMetric(
            PhaseResult inA, PhaseResult inB, String metric, String name, DoubleFunction<String> format) {
        double[] ofA = samples(a, inA, metric);
        double[] ofB = samples(b, inB, metric);
        if (ofA.length > 0 && ofB.length > 0) {
            figures.add(new ComparedFigure(
                    inA.name(),
                    name,
                    format,
                    Arrays.stream(ofA).average().orElse(Double.NaN),
                    Arrays.stream(ofB).average().orElse(Double.NaN),
                    NoiseBand.ofDifference(ofA, ofB).orElse(Double.NaN),
                    Better.LOWER));
        }
    }

    private static double[] samples(RunResult run, PhaseResult phase, String metric) {
        return run.metric(metric).stream()
                .flatMap(series -> series.samples().stream())
                .filter(sample -> sample.seconds() >= phase.fromSeconds() && sample.seconds() <= phase.toSeconds())
                .mapToDouble(MetricSeries.Sample::value)
                .toArray();
    }
}
