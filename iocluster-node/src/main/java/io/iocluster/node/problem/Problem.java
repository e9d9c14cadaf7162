package io.iocluster.node.problem;

import io.iocluster.status.StatusField;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

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

        @StatusField(doc = "what is wrong, with the figures, its consequences, and when it may be over")
        String text,

        @StatusField(doc = "what to do next") String action) {

    static final Comparator<Problem> MOST_URGENT_FIRST =
            Comparator.comparing(Problem::severity).thenComparing(Problem::kind);

    /** Creates a problem whose kind says why. */
    Problem(Kind kind, Severity severity, String subject, String text, String action) {
        this(kind, severity, subject, "", text, action);
    }

    /** Returns this problem with one of its consequences. */
    Problem with(Problem consequence) {
        boolean worse = consequence.severity.compareTo(severity) < 0;
        String also = consequence.kind.isNamedByItsCause() ? "" : " " + consequence.text;
        return new Problem(kind, worse ? consequence.severity : severity, subject, cause, text + also, action);
    }

    /**
     * What is wrong. Of problems with the same severity, the first kind is the most important: what stops the node comes first, then what
     * limits it now, then who uses most of it, then what follows from these.
     */
    public enum Kind {
        NODE_STOPPING,
        BROKER_UNREACHABLE,
        BROKER_BLOCKED,
        ANSWERS_NOT_PUBLISHED(Duration.ofSeconds(3)),
        NODE_STUCK,
        NODE_PAUSED,
        DESTINATION_FAILING,
        DESTINATION_PAUSED,
        DESTINATION_LIMITED,
        CLUSTER_SHARE_UNKNOWN,
        UPSTREAMS_OUT,
        DESTINATION_SLOW(Duration.ofSeconds(3)),
        APP_DOMINATES(Duration.ofSeconds(5)),
        APP_OVER_QUOTA,
        NODE_TOO_SMALL,
        DESTINATION_SATURATED,
        CALLS_REJECTED,
        CALLS_NOT_MADE,
        DEAD_LETTERS,
        CLUSTER_LIMIT_TOO_SMALL,
        SHARED_CACHE_OUT,
        CONFIGURATION_REFUSED;

        private final Duration confirmAfter;

        Kind() {
            this(Duration.ZERO);
        }

        /** @param confirmAfter how long the node must have found it before it is reported */
        Kind(Duration confirmAfter) {
            this.confirmAfter = confirmAfter;
        }

        Duration confirmAfter() {
            return confirmAfter;
        }

        /** Returns whether its end is certain, because it is a state and not a figure. */
        boolean isState() {
            return switch (this) {
                case NODE_STOPPING,
                        BROKER_UNREACHABLE,
                        BROKER_BLOCKED,
                        NODE_STUCK,
                        NODE_PAUSED,
                        DESTINATION_PAUSED,
                        DESTINATION_LIMITED,
                        CLUSTER_LIMIT_TOO_SMALL,
                        CONFIGURATION_REFUSED -> true;
                default -> false;
            };
        }

        /** Returns whether the problem of which it is a consequence says enough about it. */
        boolean isNamedByItsCause() {
            return this == NODE_TOO_SMALL || this == DESTINATION_SATURATED || this == DESTINATION_SLOW;
        }

        /** Returns the kind with this name; empty if it is that of a newer version. */
        static Optional<Kind> ofWireName(String name) {
            return Arrays.stream(values())
                    .filter(each -> each.wireName().equals(name))
                    .findFirst();
        }

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
