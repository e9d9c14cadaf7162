package io.iocluster.node.tuning;

import java.util.Locale;

/** The change that would help a node now. */
public enum Verdict {
    /** No change: the node keeps up or catches up, or its size is not the cause. */
    HOLD,
    /** More calls in flight. */
    GROW_IN_FLIGHT,
    /** More event loops. */
    ADD_THREADS,
    /** Additional nodes, because this one is at its limit. */
    ADD_NODES,
    /** Slower input, because the targets accept no more calls. */
    TARGET_SATURATED,
    /** No change, because there is nothing to call. */
    SOURCE_EMPTY;

    /** Returns the name in the admin API and metrics. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
