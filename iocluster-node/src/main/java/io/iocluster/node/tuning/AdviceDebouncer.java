package io.iocluster.node.tuning;

import io.iocluster.node.tuning.TuningPolicy.Evaluation;
import java.time.Clock;
import java.time.Instant;

/**
 * Replaces the current advice only after another verdict occurred several times in a row, so that it does not flap. Advice to change
 * something stays longer: until its evidence is gone.
 * Confined to the advisor's thread.
 */
final class AdviceDebouncer {

    private static final int REQUIRED_IN_A_ROW = 3;
    private static final int REQUIRED_TO_HOLD = 8;

    private final Clock clock;
    private Advice current;
    private Instant since;
    private Verdict candidate;
    private int candidatesInARow;

    AdviceDebouncer(Clock clock) {
        this.clock = clock;
    }

    /** Returns the current advice: the latest one, or the earlier one until the new verdict is confirmed. */
    Advice update(Evaluation evaluation) {
        Advice latest = evaluation.advice();
        if (current == null || current.verdict() == latest.verdict()) {
            candidate = null;
            return replace(latest);
        }
        candidatesInARow = candidate == latest.verdict() ? candidatesInARow + 1 : 1;
        candidate = latest.verdict();
        int required = latest.verdict() == Verdict.HOLD && current.verdict() != Verdict.SOURCE_EMPTY
                ? REQUIRED_TO_HOLD
                : REQUIRED_IN_A_ROW;
        return candidatesInARow >= required || !evaluation.isConclusive() ? replace(latest) : current;
    }

    private Advice replace(Advice latest) {
        if (current == null || current.verdict() != latest.verdict()) {
            since = clock.instant();
        }
        current = latest;
        return latest;
    }

    /** Returns the time since which the current verdict holds. */
    Instant since() {
        return since;
    }
}
