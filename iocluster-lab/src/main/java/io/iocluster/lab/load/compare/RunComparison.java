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
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Compares the phases that two runs have in common. Immutable. */
public final class RunComparison {

    private static final double[] PERCENTILES = {50, 90, 99, 99.9};

    /** Two-sided 95 % quantile of the normal distribution. */
    private static final double NORMAL_QUANTILE = 1.96;

    /** A standard deviation of fewer values says little. */
    private static final int MIN_INTERVALS = 5;

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
        ToDoubleBiFunction<RunResult, TimePoint> rate = (run, point) -> (double) point.ended() / run.intervalSeconds();
        add(
                inA,
                "answered rate",
                Figures::rate,
                mean(values(a, inA, rate)),
                mean(values(b, inB, rate)),
                noise(inA, inB, rate),
                Better.HIGHER);
        add(
                inA,
                "error share",
                Figures::share,
                inA.total().errorShare(),
                inB.total().errorShare(),
                noise(
                        inA,
                        inB,
                        (run, point) -> point.ended() == 0 ? Double.NaN : (double) point.errors() / point.ended()),
                Better.LOWER);
        for (double percentile : PERCENTILES) {
            addPercentile(inA, inB, percentile);
        }
        addMetric(inA, inB, MetricSeries.LAG_SECONDS, "mean lag", value -> Figures.millis(value * 1e3));
        addMetric(inA, inB, MetricSeries.CPU_CORES, "mean CPU in cores", Figures::number);
    }

    private void add(
            PhaseResult phase,
            String name,
            DoubleFunction<String> format,
            double ofA,
            double ofB,
            double noise,
            Better better) {
        figures.add(new ComparedFigure(phase.name(), name, format, ofA, ofB, noise, better));
    }

    private void addPercentile(PhaseResult inA, PhaseResult inB, double percentile) {
        LatencyHistogram ofA = inA.total().latency();
        LatencyHistogram ofB = inB.total().latency();
        double ranks = Math.hypot(rankNoise(ofA, percentile), rankNoise(ofB, percentile));
        double overTime = noise(inA, inB, (run, point) -> Figures.orNaN(ofInterval(point, percentile)));
        add(
                inA,
                LatencyHistogram.name(percentile),
                Figures::millis,
                ofA.percentileMillis(percentile).orElse(Double.NaN),
                ofB.percentileMillis(percentile).orElse(Double.NaN),
                // With few calls in each interval, percentiles of intervals are unknown, so only the ranks count.
                Double.isFinite(overTime) ? Math.max(ranks, overTime) : ranks,
                Better.LOWER);
    }

    /** Returns a percentile of an interval; null if it is not known. */
    private static Double ofInterval(TimePoint point, double percentile) {
        if (percentile == 50) {
            return point.p50Millis();
        }
        if (percentile == 90) {
            return point.p90Millis();
        }
        return percentile == 99 ? point.p99Millis() : null;
    }

    private double noise(PhaseResult inA, PhaseResult inB, ToDoubleBiFunction<RunResult, TimePoint> ofInterval) {
        return noise(values(a, inA, ofInterval), values(b, inB, ofInterval));
    }

    /**
     * Returns half of the 95 % confidence interval of the mean difference between two runs; NaN if there are fewer than five values in
     * common. The values are paired by their time in the phase, so that a rate that rises over the phase is no noise.
     *
     * @param a one value for each interval of the phase; NaN if there is none
     * @param b the same of the other run
     */
    static double noise(double[] a, double[] b) {
        double[] differences = IntStream.range(0, Math.min(a.length, b.length))
                .mapToDouble(i -> b[i] - a[i])
                .filter(Double::isFinite)
                .toArray();
        if (differences.length < MIN_INTERVALS) {
            return Double.NaN;
        }
        double mean = mean(differences);
        double squares = Arrays.stream(differences)
                .map(each -> (each - mean) * (each - mean))
                .sum();
        return NORMAL_QUANTILE * Math.sqrt(squares / (differences.length - 1) / differences.length);
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }

    /** Returns a value for each interval that is completely in the phase. */
    private static double[] values(RunResult run, PhaseResult phase, ToDoubleBiFunction<RunResult, TimePoint> value) {
        return run.series().stream()
                .filter(point -> point.second() >= phase.fromSeconds()
                        && point.second() + run.intervalSeconds() <= phase.toSeconds() + 0.5)
                .mapToDouble(point -> value.applyAsDouble(run, point))
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
            add(inA, name, format, mean(ofA), mean(ofB), noise(ofA, ofB), Better.LOWER);
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
