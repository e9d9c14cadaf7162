package io.iocluster.testkit.chaos.invariant;

import java.util.List;

/**
 * An invariant that a run violated. Immutable.
 *
 * @param invariant the invariant as a sentence
 * @param facts what was observed
 * @param ids the ids of the affected calls; may be empty
 */
public record Violation(String invariant, String facts, List<String> ids) {

    private static final int MAX_SHOWN_IDS = 10;

    public Violation {
        ids = List.copyOf(ids);
    }

    @Override
    public String toString() {
        String shown = String.join(", ", ids.subList(0, Math.min(MAX_SHOWN_IDS, ids.size())));
        return invariant + ": " + facts + (ids.isEmpty() ? "" : " ids=" + ids.size() + " [" + shown + "]");
    }
}
