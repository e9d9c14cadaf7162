package io.iocluster.node.tuning;

import java.util.Locale;

/** What would help a node now. */
public enum Verdict {
    /** Nothing: it keeps up, or works off what waits, or something else than its size is in the way. */
    HOLD,
    /** More calls open at once. */
    GROW_IN_FLIGHT,
    /** More event loops. */
    ADD_THREADS,
    /** Further nodes: this one has no more to give. */
    ADD_NODES,
    /** A slower source: those who are called take no more. */
    TARGET_SATURATED,
    /** Nothing: there is nothing to call. */
    SOURCE_EMPTY;

    /** As the admin API and metrics write it. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
