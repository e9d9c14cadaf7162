package io.iocluster.message;

import java.util.List;

/**
 * Several calls of one envelope, made at the same time under its one deadline and answered together.
 *
 * @param mode when and how they are answered
 * @param branches what would be envelopes of their own, with neither id, deadline, reply nor context; one at least
 */
public record Scatter(GatherMode mode, List<RequestEnvelope> branches) {

    public Scatter {
        branches = List.copyOf(branches);
    }

    /** When the calls are answered. */
    public enum GatherMode {
        /** By the first that has a usable answer; the others are cancelled. */
        ANY("any"),
        /** When each of them has ended, by a result for each. */
        ALL("all");

        private final String wireName;

        GatherMode(String wireName) {
            this.wireName = wireName;
        }

        /** The envelope's field that holds the branches. */
        public String wireName() {
            return wireName;
        }
    }
}
