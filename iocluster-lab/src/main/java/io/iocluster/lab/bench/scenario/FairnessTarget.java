package io.iocluster.lab.bench.scenario;

import java.util.List;
import java.util.Locale;

/** Whom a call of the fairness scenario is made to: of five, two to the good host and one to each bad one. */
enum FairnessTarget {
    /** Takes 100 ms. */
    GOOD,
    /** Answers no connection attempt. */
    DEAD,
    /** Takes 5 s. */
    SLOW,
    /** Answers 503. */
    FAILING;

    private static final List<FairnessTarget> TURNS = List.of(GOOD, DEAD, GOOD, SLOW, FAILING);

    /** Whom the call of this number is made to. */
    static FairnessTarget forCall(long number) {
        return TURNS.get((int) (number % TURNS.size()));
    }

    /** As tables and JSON write it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
