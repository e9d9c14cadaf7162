package io.iocluster.testkit.chaos.invariant;

import java.util.List;

/**
 * A promise that a run broke.
 *
 * @param invariant the promise
 * @param facts what was seen instead
 * @param ids the calls concerned; may be empty
 */
public record Violation(String invariant, String facts, List<String> ids) {

    private static final int SHOWN = 10;

    public Violation {
        ids = List.copyOf(ids);
    }

    @Override
    public String toString() {
        String shown = String.join(", ", ids.subList(0, Math.min(SHOWN, ids.size())));
        return invariant + ": " + facts + (ids.isEmpty() ? "" : " ids=" + ids.size() + " [" + shown + "]");
    }
}
