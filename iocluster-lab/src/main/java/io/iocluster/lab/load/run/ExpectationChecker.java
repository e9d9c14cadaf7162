package io.iocluster.lab.load.run;

import io.iocluster.lab.load.experiment.Expectation;
import io.iocluster.lab.load.experiment.Expectation.Comparison;
import io.iocluster.lab.load.experiment.Expectation.Kind;
import io.iocluster.lab.load.experiment.Expectation.Metric;
import io.iocluster.lab.load.experiment.Expectation.Unit;
import io.iocluster.lab.load.result.ExpectationOutcome;
import io.iocluster.lab.load.result.ExpectationOutcome.State;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.MetricSeries;
import io.iocluster.lab.load.result.MetricSeries.Sample;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.SearchResult;
import io.iocluster.lab.load.result.TemplateResult;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * Compares a result with the expectations. Immutable.
 *
 * @param search null if no phase was a search
 */
public record ExpectationChecker(List<PhaseResult> phases, List<MetricSeries> metrics, SearchResult search) {

    /** Returns the outcome of each expectation. */
    public List<ExpectationOutcome> check(List<Expectation> expectations) {
        return expectations.stream().map(this::check).toList();
    }

    /** Returns whether one of the expectations that may become true some time after their phase is not met, and its time is not over. */
    public boolean isPending(List<Expectation> expectations, double seconds) {
        return expectations.stream()
                .filter(expectation -> expectation.within() != null)
                .anyMatch(expectation ->
                        seconds < until(expectation) && check(expectation).state() != State.MET);
    }

    private double until(Expectation expectation) {
        return scope(expectation).stream()
                        .mapToDouble(PhaseResult::toSeconds)
                        .max()
                        .orElse(0)
                + expectation.within().toMillis() / 1e3;
    }

    private List<PhaseResult> scope(Expectation expectation) {
        return phases.stream()
                .filter(phase -> expectation.phase() == null
                        ? phase.measured()
                        : phase.name().equals(expectation.phase()))
                .toList();
    }

    /** Returns the outcome of an expectation. */
    public ExpectationOutcome check(Expectation expectation) {
        List<PhaseResult> scope = scope(expectation);
        if (scope.isEmpty()) {
            return unknown(expectation, "the phase did not start");
        }
        Metric metric = expectation.metric();
        if (metric.isSampled()) {
            return checkSamples(expectation, scope);
        }
        if (metric.kind() == Kind.BEST_RATE) {
            return search == null || search.bestRate() == null
                    ? unknown(expectation, "no rate met the objective of the search")
                    : outcome(expectation, search.bestRate());
        }
        TemplateResult calls = TemplateResult.sum(
                "scope",
                scope.stream()
                        .flatMap(phase -> phase.templates().stream())
                        .filter(template -> expectation.request() == null
                                || template.template().equals(expectation.request()))
                        .toList());
        return checkCalls(expectation, scope, calls);
    }

    /** Returns the outcome of a condition on the calls of one trial. */
    public static ExpectationOutcome checkTrial(Expectation condition, PhaseResult trial) {
        TemplateResult calls = TemplateResult.sum(
                "trial",
                trial.templates().stream()
                        .filter(template -> condition.request() == null
                                || template.template().equals(condition.request()))
                        .toList());
        return checkCalls(condition, List.of(trial), calls);
    }

    private static ExpectationOutcome checkCalls(
            Expectation expectation, List<PhaseResult> scope, TemplateResult calls) {
        if (calls.ended() == 0) {
            return unknown(expectation, "no calls");
        }
        Metric metric = expectation.metric();
        return switch (metric.kind()) {
            case PERCENTILE -> percentile(expectation, calls.latency());
            case QUEUE_PERCENTILE -> percentile(expectation, calls.node().queue());
            case WAIT_PERCENTILE -> percentile(expectation, calls.node().waiting());
            case ATTEMPT_PERCENTILE -> percentile(expectation, calls.node().attempt());
            case MEAN -> ofAnswers(expectation, calls.latency(), LatencyHistogram::meanMillis);
            case MAX -> ofAnswers(expectation, calls.latency(), LatencyHistogram::maxMillis);
            case ERROR_SHARE -> outcome(expectation, calls.errorShare());
            case ERRORS -> outcome(expectation, calls.errors());
            case UNANSWERED -> outcome(expectation, calls.unanswered());
            case RATE ->
                outcome(
                        expectation,
                        calls.sent()
                                / scope.stream()
                                        .mapToDouble(phase -> phase.toSeconds() - phase.fromSeconds())
                                        .sum());
            case RATE_SHARE ->
                outcome(
                        expectation,
                        (double) scope.stream().mapToLong(PhaseResult::sent).sum()
                                / scope.stream().mapToLong(PhaseResult::due).sum());
            case BEST_RATE, LAG, LAG_MESSAGES, PROMQL, NAMED ->
                throw new IllegalStateException("not a figure of calls: " + metric);
        };
    }

    private static ExpectationOutcome ofAnswers(
            Expectation expectation, LatencyHistogram histogram, ToDoubleFunction<LatencyHistogram> figure) {
        if (histogram.unanswered() > 0) {
            return unknown(expectation, withoutAnswer(histogram));
        }
        return histogram.count() == 0
                ? unknown(expectation, "no answers")
                : outcome(expectation, figure.applyAsDouble(histogram));
    }

    private static ExpectationOutcome percentile(Expectation expectation, LatencyHistogram histogram) {
        double percentile = expectation.metric().percentile();
        OptionalDouble value = histogram.percentileMillis(percentile);
        if (value.isEmpty()) {
            return unknown(
                    expectation,
                    String.format(
                            Locale.ROOT,
                            "%,d answers, but %s needs %,d",
                            histogram.count(),
                            LatencyHistogram.name(percentile),
                            LatencyHistogram.neededFor(percentile)));
        }
        return Double.isFinite(value.getAsDouble())
                ? outcome(expectation, value.getAsDouble())
                : unknown(expectation, withoutAnswer(histogram));
    }

    private static String withoutAnswer(LatencyHistogram histogram) {
        return String.format(Locale.ROOT, "%,d of %,d calls have no answer", histogram.unanswered(), histogram.calls());
    }

    private ExpectationOutcome checkSamples(Expectation expectation, List<PhaseResult> scope) {
        Optional<MetricSeries> series = seriesOf(expectation.metric());
        if (series.isEmpty()) {
            return unknown(expectation, "no samples");
        }
        // The unit of the lag's samples is seconds, that of the expectation milliseconds.
        double scale = expectation.metric().kind() == Kind.LAG ? 1e3 : 1;
        return expectation.within() == null
                ? checkAll(expectation, series.get(), scale, scope)
                : checkWithin(
                        expectation,
                        series.get(),
                        scale,
                        scope.get(scope.size() - 1).toSeconds());
    }

    private Optional<MetricSeries> seriesOf(Metric metric) {
        String name = switch (metric.kind()) {
            case LAG -> MetricSeries.LAG_SECONDS;
            case LAG_MESSAGES -> MetricSeries.LAG_MESSAGES;
            default -> metric.name();
        };
        return metrics.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /** The worst sample decides. */
    private static ExpectationOutcome checkAll(
            Expectation expectation, MetricSeries series, double scale, List<PhaseResult> scope) {
        boolean upperBound =
                expectation.comparison() == Comparison.LESS || expectation.comparison() == Comparison.LESS_OR_EQUAL;
        Comparator<Double> worstLast = upperBound ? Comparator.naturalOrder() : Comparator.reverseOrder();
        return series.samples().stream()
                .filter(sample -> scope.stream()
                        .anyMatch(phase ->
                                sample.seconds() >= phase.fromSeconds() && sample.seconds() <= phase.toSeconds()))
                .map(sample -> sample.value() * scale)
                .max(worstLast)
                .map(worst -> outcome(expectation, worst))
                .orElseGet(() -> unknown(expectation, "no samples during the phase"));
    }

    /** The condition must become true in time, and stay true until the last sample of that time. */
    private static ExpectationOutcome checkWithin(
            Expectation expectation, MetricSeries series, double scale, double end) {
        double until = end + expectation.within().toMillis() / 1e3;
        List<Sample> samples = series.samples().stream()
                .filter(sample -> sample.seconds() >= end && sample.seconds() <= until)
                .toList();
        if (samples.isEmpty()) {
            return unknown(expectation, "no samples after the phase");
        }
        Sample metSince = null;
        for (Sample sample : samples) {
            if (!expectation.isMetBy(sample.value() * scale)) {
                metSince = null;
            } else if (metSince == null) {
                metSince = sample;
            }
        }
        double last = samples.get(samples.size() - 1).value() * scale;
        String actual = format(expectation.metric().kind().unit(), last)
                + (metSince == null ? "" : String.format(Locale.ROOT, ", met after %.0f s", metSince.seconds() - end));
        return new ExpectationOutcome(
                expectation.text(), metSince == null ? State.FAILED : State.MET, actual, last, expectation.threshold());
    }

    private static ExpectationOutcome outcome(Expectation expectation, double value) {
        return new ExpectationOutcome(
                expectation.text(),
                expectation.isMetBy(value) ? State.MET : State.FAILED,
                format(expectation.metric().kind().unit(), value),
                value,
                expectation.threshold());
    }

    private static ExpectationOutcome unknown(Expectation expectation, String reason) {
        return new ExpectationOutcome(expectation.text(), State.UNKNOWN, reason, null, expectation.threshold());
    }

    private static String format(Unit unit, double value) {
        return switch (unit) {
            case MILLIS -> String.format(Locale.ROOT, value < 100 ? "%.1f ms" : "%,.0f ms", value);
            case SHARE -> String.format(Locale.ROOT, "%.3f %%", value * 100);
            case COUNT -> String.format(Locale.ROOT, "%,.0f", value);
            case PER_SECOND -> String.format(Locale.ROOT, "%,.1f/s", value);
            case NUMBER -> String.format(Locale.ROOT, "%.4g", value);
        };
    }
}
