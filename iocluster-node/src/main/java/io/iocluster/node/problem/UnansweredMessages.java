package io.iocluster.node.problem;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.node.problem.CodeCounts.Recently;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Decides whether the node rejects calls or writes dead letters, and what to do about it. */
final class UnansweredMessages {

    private static final int MIN_REJECTED = 3;
    private static final int MIN_NOT_MADE = 3;
    private static final int MAX_DESTINATIONS = 3;
    private static final double SOME = 0.01;
    private static final double MOST = 0.5;

    private UnansweredMessages() {}

    static void addProblems(CodeCounts counts, List<Problem> problems) {
        addRejected(counts, problems);
        addNotMade(counts.notMade(), problems);
        addDeadLetters(counts.deadLetters(), problems);
    }

    private static void addRejected(CodeCounts counts, List<Problem> problems) {
        long rejected = sum(counts.rejected());
        double share = Math.min(1, (double) rejected / Math.max(1, counts.received()));
        if (rejected < MIN_REJECTED || share < SOME) {
            return;
        }
        ErrorCode code = mostFrequent(counts.rejected());
        problems.add(new Problem(
                Kind.CALLS_REJECTED,
                share >= MOST ? Severity.BAD : Severity.WARN,
                "",
                code.wireName(),
                "The node rejects calls without making them: " + Math.round(100 * share)
                        + " % in the last minute, most with " + code.wireName() + " (" + code.description() + ").",
                "Read the messages in iocluster failures. Correct the sender, or the configuration if it should allow"
                        + " these calls."));
    }

    /** Adds a problem for each of the destinations with most such calls. */
    private static void addNotMade(Recently recent, List<Problem> problems) {
        Map<String, Map<ErrorCode, Long>> byDestination = recent.counts().entrySet().stream()
                .collect(Collectors.groupingBy(
                        each -> each.getKey().destination(),
                        Collectors.toMap(each -> each.getKey().code(), Map.Entry::getValue)));
        byDestination.entrySet().stream()
                .filter(each -> sum(each.getValue()) >= Math.max(MIN_NOT_MADE, SOME * recent.received()))
                .sorted(Comparator.comparingLong(
                        (Map.Entry<String, Map<ErrorCode, Long>> each) -> -sum(each.getValue())))
                .limit(MAX_DESTINATIONS)
                .map(each -> notMade(each.getKey(), each.getValue(), recent))
                .forEach(problems::add);
    }

    private static Problem notMade(String destination, Map<ErrorCode, Long> counts, Recently recent) {
        ErrorCode code = mostFrequent(counts);
        return new Problem(
                Kind.CALLS_NOT_MADE,
                Severity.BAD,
                destination,
                code.wireName(),
                Math.max(1, Math.round(sum(counts) / recent.seconds())) + " calls a second to " + destination
                        + " are not made in time: " + code.wireName() + " (" + code.description() + ")"
                        + (recent.app() == null ? "." : ", most of them of app " + recent.app() + "."),
                "Find out why they wait: look at the destination, and at the lag. Calls that are too late need a later"
                        + " deadline, or fewer calls.");
    }

    private static void addDeadLetters(Map<ErrorCode, Long> deadLetters, List<Problem> problems) {
        long count = sum(deadLetters);
        if (count == 0) {
            return;
        }
        ErrorCode code = mostFrequent(deadLetters);
        problems.add(new Problem(
                Kind.DEAD_LETTERS,
                Severity.WARN,
                "",
                code.wireName(),
                count + (count == 1 ? " message became a dead letter" : " messages became dead letters")
                        + " in the last minute, " + (deadLetters.size() == 1 ? "with " : "most with ")
                        + code.wireName() + " (" + code.description() + ").",
                "List them with iocluster dlq list. "
                        + (code.outcome() == Outcome.REJECTED
                                ? "Correct the sender or the configuration first: else a replay makes them dead letters again."
                                : code == ErrorCode.ANSWER_NOT_PUBLISHED
                                        ? "They hold the answers of calls that were made, so a replay refuses them: read"
                                                + " the answers with iocluster dlq show."
                                        : "Put them back with iocluster dlq replay after the cause is gone.")));
    }

    private static ErrorCode mostFrequent(Map<ErrorCode, Long> counts) {
        return counts.entrySet().stream()
                .max(Map.Entry.<ErrorCode, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .orElseThrow()
                .getKey();
    }

    private static long sum(Map<ErrorCode, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
