package io.iocluster.node.problem;

import io.iocluster.message.ErrorCode;
import io.iocluster.node.problem.Problem.Kind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which problem is the consequence of another one, so that each cause is one line that names what follows from it. Stateless.
 */
public final class Causes {

    /** Kinds that are about one destination. Each explains the later ones of the same destination. */
    private static final Set<Kind> OF_DESTINATION = EnumSet.of(
            Kind.DESTINATION_FAILING,
            Kind.DESTINATION_PAUSED,
            Kind.DESTINATION_LIMITED,
            Kind.CLUSTER_SHARE_UNKNOWN,
            Kind.UPSTREAMS_OUT,
            Kind.DESTINATION_SLOW,
            Kind.DESTINATION_SATURATED,
            Kind.CALLS_NOT_MADE);

    /** Kinds that stop or limit the whole node. */
    private static final Set<Kind> OF_NODE = EnumSet.of(
            Kind.BROKER_UNREACHABLE,
            Kind.BROKER_BLOCKED,
            Kind.ANSWERS_NOT_PUBLISHED,
            Kind.NODE_STUCK,
            Kind.NODE_PAUSED,
            Kind.APP_DOMINATES,
            Kind.NODE_TOO_SMALL);

    /** Kinds that anything which limits the whole node can cause. */
    private static final Set<Kind> CONSEQUENCES =
            EnumSet.of(Kind.NODE_TOO_SMALL, Kind.DESTINATION_SATURATED, Kind.CALLS_NOT_MADE);

    /** Kinds of an outage of the broker, which also keeps answers from being published. */
    private static final Set<Kind> OF_BROKER = EnumSet.of(Kind.BROKER_UNREACHABLE, Kind.BROKER_BLOCKED);

    /** Maximum number of consequences that the text of a cause names. */
    private static final int MAX_NAMED = 2;

    private Causes() {}

    /**
     * Returns the problems that no other one explains, each with its consequences, most urgent first.
     *
     * @param busiest the destinations that hold half or more of the node's calls, so that they can be what makes others wait
     */
    static List<Problem> withConsequences(List<Problem> problems, Set<String> busiest) {
        List<Problem> ranked =
                problems.stream().sorted(Problem.MOST_URGENT_FIRST).toList();
        return ranked.stream()
                .filter(each -> causeOf(each, ranked, busiest) == null)
                .map(cause -> Stream.concat(
                                Stream.of(cause),
                                ranked.stream()
                                        .filter(each -> rootOf(each, ranked, busiest) == cause && each != cause)
                                        .limit(MAX_NAMED))
                        .reduce(Problem::with)
                        .orElseThrow())
                .sorted(Problem.MOST_URGENT_FIRST)
                .collect(Collectors.toUnmodifiableList());
    }

    /** Returns the problems that another one explains. */
    static List<Problem> explained(List<Problem> problems, Set<String> busiest) {
        return problems.stream()
                .filter(each -> causeOf(each, problems, busiest) != null)
                .toList();
    }

    private static Problem rootOf(Problem problem, List<Problem> all, Set<String> busiest) {
        Problem root = problem;
        for (Problem cause = root; cause != null; cause = causeOf(root, all, busiest)) {
            root = cause;
        }
        return root;
    }

    /** Returns the problem that explains this one; null if none does. The kinds are ordered, so there is no cycle. */
    private static Problem causeOf(Problem problem, List<Problem> all, Set<String> busiest) {
        return all.stream()
                .filter(each -> explains(
                        each.kind(),
                        each.subject(),
                        problem.kind(),
                        problem.subject(),
                        busiest.contains(each.subject())))
                .filter(each -> problem.kind() != Kind.DEAD_LETTERS
                        || problem.cause().equals(ErrorCode.ANSWER_NOT_PUBLISHED.wireName()))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns whether a problem explains another one.
     *
     * @param isBusiest whether the cause is about a destination that holds half or more of the node's calls
     */
    static boolean explains(Kind cause, String causeSubject, Kind kind, String subject, boolean isBusiest) {
        if (cause.compareTo(kind) >= 0) {
            return false;
        }
        if (OF_DESTINATION.contains(cause)) {
            return OF_DESTINATION.contains(kind) && causeSubject.equals(subject)
                    || isBusiest && CONSEQUENCES.contains(kind);
        }
        return OF_NODE.contains(cause) && CONSEQUENCES.contains(kind)
                || OF_BROKER.contains(cause) && kind == Kind.ANSWERS_NOT_PUBLISHED
                || cause == Kind.ANSWERS_NOT_PUBLISHED && kind == Kind.DEAD_LETTERS;
    }

    /** Returns whether a problem of one node explains that of another node. Kinds of newer versions explain nothing. */
    public static boolean explains(String cause, String causeSubject, String kind, String subject) {
        return Kind.ofWireName(cause)
                .flatMap(first ->
                        Kind.ofWireName(kind).map(second -> explains(first, causeSubject, second, subject, false)))
                .orElse(false);
    }

    /** Returns the order of a kind among others, most important first. */
    public static int rank(String kind) {
        return Kind.ofWireName(kind).map(Kind::ordinal).orElse(Kind.values().length);
    }
}
