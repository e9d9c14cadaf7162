package io.iocluster.node.problem;

import io.iocluster.status.StatusField;
import java.util.Comparator;
import java.util.Locale;

/**
 * Something that is wrong with the node or what it calls. Immutable.
 *
 * @param cause why, as a status or an error code with words such as {@code status 401}; empty if the kind says it
 */
public record Problem(
        @StatusField Kind kind,

        @StatusField(doc = "`bad`: calls fail or are not made; `warn`: an operator asked for it, or some calls fail")
        Severity severity,

        @StatusField(
                doc =
                        "what it is about, such as a destination's name or the broker's address; empty if the node itself")
        String subject,

        String cause,

        @StatusField(doc = "what is wrong, with the figures")
        String text,

        @StatusField(doc = "what to do next") String action) {

    static final Comparator<Problem> MOST_URGENT_FIRST =
            Comparator.comparing(Problem::severity).thenComparing(Problem::kind);

    /** Creates a problem whose kind says why. */
    Problem(Kind kind, Severity severity, String subject, String text, String action) {
        this(kind, severity, subject, "", text, action);
    }

    /** What is wrong. Of problems with the same severity, the first kind is the most important. */
    public enum Kind {
        NODE_STOPPING,
        BROKER_UNREACHABLE,
        BROKER_BLOCKED,
        ANSWERS_NOT_PUBLISHED,
        NODE_STUCK,
        DESTINATION_FAILING,
        CALLS_REJECTED,
        DEAD_LETTERS,
        APP_OVER_QUOTA,
        APP_DOMINATES,
        NODE_PAUSED,
        DESTINATION_PAUSED,
        DESTINATION_LIMITED,
        CLUSTER_SHARE_UNKNOWN,
        CLUSTER_LIMIT_TOO_SMALL,
        UPSTREAMS_OUT,
        SHARED_CACHE_OUT,
        CONFIGURATION_REFUSED;

        /** Returns the name in the admin API and the metrics. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** How urgent it is. The most urgent is first. */
    public enum Severity {
        /** Calls fail or are not made. */
        BAD,
        /** An operator asked for it, or some calls fail. */
        WARN;

        /** Returns the name in the admin API and the metrics. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
