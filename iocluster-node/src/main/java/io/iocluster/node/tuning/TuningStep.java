package io.iocluster.node.tuning;

import io.iocluster.status.StatusField;
import java.time.Instant;

/** A change of size that a node made itself. */
public record TuningStep(
        @StatusField Instant at,
        Kind kind,
        @StatusField int before,
        @StatusField int after,
        @StatusField String reason) {

    @StatusField(doc = "the key below `workers`")
    String setting() {
        return kind.setting();
    }

    /** The setting that changes, and its direction. */
    public enum Kind {
        MORE_IN_FLIGHT("max-in-flight", "up"),
        FEWER_IN_FLIGHT("max-in-flight", "down"),
        MORE_THREADS("threads", "up");

        private final String setting;
        private final String direction;

        Kind(String setting, String direction) {
            this.setting = setting;
            this.direction = direction;
        }

        /** Returns the key below {@code workers}. */
        public String setting() {
            return setting;
        }

        /** Returns {@code up} or {@code down}. */
        public String direction() {
            return direction;
        }
    }
}
