package io.iocluster.node.problem;

import io.iocluster.message.ErrorCode;
import io.iocluster.node.problem.Problem.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
        Map<Problem, Problem> causes = causes(problems, busiest);
        Map<Problem, List<Problem>> consequences = new IdentityHashMap<>();
        List<Problem> ranked = ranked(problems);
        for (Problem each : ranked) {
            Problem root = each;
            while (causes.containsKey(root)) {
                root = causes.get(root);
            }
            if (root != each) {
                consequences.computeIfAbsent(root, first -> new ArrayList<>()).add(each);
            }
        }
        return ranked.stream()
                .filter(each -> !causes.containsKey(each))
                .map(cause -> consequences.getOrDefault(cause, List.of()).stream()
                        .limit(MAX_NAMED)
                        .reduce(cause, Problem::with))
                .sorted(Problem.MOST_URGENT_FIRST)
                .toList();
    }

    /** Returns the problems that another one explains. */
    static Set<Problem> explained(List<Problem> problems, Set<String> busiest) {
        return causes(problems, busiest).keySet();
    }

    private static List<Problem> ranked(List<Problem> problems) {
        return problems.stream().sorted(Problem.MOST_URGENT_FIRST).toList();
    }

    /**
     * Returns the most urgent problem that explains each explained one. The kinds are ordered, so there is no cycle. Looks only at problems of
     * the same destination and at those of the whole node, because thousands of destinations may fail.
     */
    private static Map<Problem, Problem> causes(List<Problem> problems, Set<String> busiest) {
        Map<Problem, Integer> ranks = new IdentityHashMap<>();
        List<Problem> ofNode = new ArrayList<>();
        Map<String, List<Problem>> bySubject = new HashMap<>();
        for (Problem each : ranked(problems)) {
            ranks.put(each, ranks.size());
            bySubject
                    .computeIfAbsent(each.subject(), first -> new ArrayList<>())
                    .add(each);
            if (OF_NODE.contains(each.kind()) || busiest.contains(each.subject())) {
                ofNode.add(each);
            }
        }
        Map<Problem, Problem> causes = new IdentityHashMap<>();
        for (Problem problem : problems) {
            Stream.concat(bySubject.get(problem.subject()).stream(), ofNode.stream())
                    .filter(each -> explains(each, problem, busiest))
                    .min(Comparator.comparing(ranks::get))
                    .ifPresent(cause -> causes.put(problem, cause));
        }
        return causes;
    }

    private static boolean explains(Problem cause, Problem problem, Set<String> busiest) {
        return explains(
                        cause.kind(),
                        cause.subject(),
                        problem.kind(),
                        problem.subject(),
                        busiest.contains(cause.subject()))
                && (problem.kind() != Kind.DEAD_LETTERS
                        || problem.cause().equals(ErrorCode.ANSWER_NOT_PUBLISHED.wireName()));
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
