package io.iocluster.node.problem;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Decides whether the node rejects calls or writes dead letters, and what to do about it. */
final class UnansweredMessages {

    private static final int MIN_REJECTED = 3;
    private static final double SOME = 0.01;
    private static final double MOST = 0.5;

    private UnansweredMessages() {}

    static void addProblems(CodeCounts counts, List<Problem> problems) {
        addRejected(counts, problems);
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
