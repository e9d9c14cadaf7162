package io.iocluster.node.tuning;

import io.iocluster.node.tuning.TuningPolicy.Evaluation;
import java.time.Clock;
import java.time.Instant;

/** Lets another verdict hold only when it came several times in a row, so that it does not flutter. Used by one thread. */
final class AdviceDebouncer {

    private static final int TIMES = 3;

    private final Clock clock;
    private Advice holding;
    private Instant since;
    private Verdict next;
    private int times;

    AdviceDebouncer(Clock clock) {
        this.clock = clock;
    }

    /** What holds now: the advice that was just given, or one that was given before. */
    Advice update(Evaluation judgement) {
        Advice given = judgement.advice();
        if (holding == null || holding.verdict() == given.verdict()) {
            next = null;
            return hold(given);
        }
        times = next == given.verdict() ? times + 1 : 1;
        next = given.verdict();
        return times >= TIMES || !judgement.isConclusive() ? hold(given) : holding;
    }

    private Advice hold(Advice given) {
        if (holding == null || holding.verdict() != given.verdict()) {
            since = clock.instant();
        }
        holding = given;
        return given;
    }

    /** When what holds began to hold. */
    Instant since() {
        return since;
    }
}
