package io.iocluster.node.tuning;

import java.time.Instant;

/** One change of the size that a node made by itself. */
public record TuningStep(Instant at, Kind kind, int before, int after, String reason) {

    /** What changes, and where to. */
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

        /** The key below {@code workers}. */
        public String setting() {
            return setting;
        }

        /** {@code up} or {@code down}. */
        public String direction() {
            return direction;
        }
    }
}
