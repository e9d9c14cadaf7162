package io.iocluster.lab.load.run;

import io.iocluster.lab.load.experiment.Phase;
import io.iocluster.lab.load.result.SearchResult.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Finds the highest rate that meets an objective: doubles the rate until a trial fails, then halves the interval. Confined to one
 * thread.
 */
final class RateSearch {

    private final double from;
    private final double to;
    private final double precision;
    private final List<Trial> trials = new ArrayList<>();
    private Double best;
    private Double failed;

    RateSearch(Phase phase) {
        this.from = Phase.perSecond(phase.from());
        this.to = Phase.perSecond(phase.to());
        this.precision = phase.precision();
    }

    /** Returns the rate of the next trial; empty if the search has ended. */
    OptionalDouble nextRate() {
        if (best == null) {
            return failed == null ? OptionalDouble.of(from) : OptionalDouble.empty();
        }
        if (failed == null) {
            return best >= to ? OptionalDouble.empty() : OptionalDouble.of(Math.min(to, best * 2));
        }
        return failed - best <= precision * best ? OptionalDouble.empty() : OptionalDouble.of((best + failed) / 2);
    }

    void add(Trial trial) {
        trials.add(trial);
        if (trial.met()) {
            best = trial.rate();
        } else {
            failed = trial.rate();
        }
    }

    /** Returns the highest rate that met the objective; null if none did. */
    Double best() {
        return best;
    }

    /** Returns the lowest rate that did not meet it; null if all did. */
    Double failed() {
        return failed;
    }

    List<Trial> trials() {
        return trials;
    }
}
