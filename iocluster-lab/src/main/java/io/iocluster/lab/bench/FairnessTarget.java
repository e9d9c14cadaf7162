package io.iocluster.lab.bench;

import java.util.List;
import java.util.Locale;

/** A host of the fairness scenario. Of five calls, two go to the good host and one to each bad host. */
enum FairnessTarget {
    /** Takes 100 ms. */
    GOOD,
    /** Never accepts a connection. */
    DEAD,
    /** Takes 5 s. */
    SLOW,
    /** Answers 503. */
    FAILING;

    private static final List<FairnessTarget> SCHEDULE = List.of(GOOD, DEAD, GOOD, SLOW, FAILING);

    /** Returns the host of the call with this number. */
    static FairnessTarget forCall(long number) {
        return SCHEDULE.get((int) (number % SCHEDULE.size()));
    }

    /** Returns the name in tables and JSON. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
