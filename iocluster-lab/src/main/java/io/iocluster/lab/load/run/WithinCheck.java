package io.iocluster.lab.load.run;

import io.iocluster.lab.load.experiment.Expectation;
import io.iocluster.lab.load.result.ExpectationOutcome;
import io.iocluster.lab.load.result.ExpectationOutcome.State;
import io.iocluster.lab.load.result.MetricSeries;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.SearchResult;
import java.util.List;

/** Says whether a run must wait for expectations that may become true some time after their phase. Immutable. */
public final class WithinCheck {

    private final List<Expectation> pending;
    private final List<PhaseResult> phases;

    public WithinCheck(List<Expectation> expectations, List<PhaseResult> phases) {
        this.pending = expectations.stream()
                .filter(expectation -> expectation.within() != null)
                .toList();
        this.phases = phases;
    }

    /** Returns whether an expectation is not met and its time is not over. */
    public boolean isPending(double seconds, List<MetricSeries> metrics) {
        ExpectationChecker checker = new ExpectationChecker(phases, metrics, null);
        return pending.stream()
                .anyMatch(expectation -> seconds < until(expectation)
                        && checker.check(expectation).state() != State.MET);
    }

    private double until(Expectation expectation) {
        return phases.stream()
                        .filter(phase -> expectation.phase() == null
                                ? phase.measured()
                                : phase.name().equals(expectation.phase()))
                        .mapToDouble(PhaseResult::toSeconds)
                        .max()
                        .orElse(0)
                + expectation.within().toMillis() / 1e3;
    }

    /** Returns the outcome of each expectation. */
    public static List<ExpectationOutcome> outcomes(
            List<Expectation> expectations, List<PhaseResult> phases, List<MetricSeries> metrics, SearchResult search) {
        ExpectationChecker checker = new ExpectationChecker(phases, metrics, search);
        return expectations.stream().map(checker::check).toList();
    }
}
