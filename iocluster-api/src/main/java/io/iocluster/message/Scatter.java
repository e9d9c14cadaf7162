package io.iocluster.message;

import java.util.List;

/**
 * Several calls of one envelope that run in parallel under one deadline and have one answer.
 *
 * @param mode when the answer is complete
 * @param branches at least one; each is an envelope without id, deadline, reply and context
 */
public record Scatter(GatherMode mode, List<RequestEnvelope> branches) {

    public Scatter {
        branches = List.copyOf(branches);
    }

    /** The condition that completes the answer. */
    public enum GatherMode {
        /** The first branch with a usable answer completes it; the other branches are cancelled. */
        ANY("any"),
        /** It is complete when all branches have ended, and has one result for each. */
        ALL("all");

        private final String wireName;

        GatherMode(String wireName) {
            this.wireName = wireName;
        }

        /** Returns the name of the envelope field that holds the branches. */
        public String wireName() {
            return wireName;
        }
    }
}
