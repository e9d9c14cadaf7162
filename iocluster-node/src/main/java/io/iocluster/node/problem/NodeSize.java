package io.iocluster.node.problem;

import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import io.iocluster.node.tuning.Advice;
import io.iocluster.node.tuning.SaturatedDestination;
import io.iocluster.node.tuning.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Reports what the advisor says about a node that is too small, or about targets that accept no more calls. */
final class NodeSize {

    private NodeSize() {}

    /**
     * Adds the problem that the advice names, if any.
     *
     * @param mode a node that resizes itself is too small only if the advice is to add nodes
     */
    static void addProblem(Advice advice, Mode mode, List<DestinationResults> destinations, List<Problem> problems) {
        boolean resizesItself = mode == Mode.AUTO && advice.verdict() != Verdict.ADD_NODES;
        switch (advice.verdict()) {
            case GROW_IN_FLIGHT -> {
                if (!resizesItself) {
                    problems.add(tooSmall(
                            "The node has too few slots: " + advice.reason() + ".",
                            "Set workers.max-in-flight to " + advice.maxInFlight()
                                    + ", if the targets can take more calls at once.",
                            advice));
                }
            }
            case ADD_THREADS -> {
                if (!resizesItself) {
                    problems.add(tooSmall(
                            "The node has too few threads: " + advice.reason() + ".",
                            "Set workers.threads to " + advice.threads() + ".",
                            advice));
                }
            }
            case ADD_NODES ->
                problems.add(tooSmall(
                        "The node cannot do more: " + advice.reason() + ".",
                        "Start about " + advice.additionalNodes() + " more nodes.",
                        advice));
            case TARGET_SATURATED -> problems.add(saturated(advice, destinations));
            case HOLD, SOURCE_EMPTY -> {}
        }
    }

    private static Problem tooSmall(String text, String action, Advice advice) {
        return new Problem(
                Kind.NODE_TOO_SMALL, Severity.WARN, "", advice.verdict().wireName(), text, action);
    }

    private static Problem saturated(Advice advice, List<DestinationResults> destinations) {
        String destination = destinations.stream()
                .map(each -> SaturatedDestination.of(each.status()))
                .filter(Objects::nonNull)
                .max(Comparator.comparingInt(SaturatedDestination::calls))
                .map(SaturatedDestination::destination)
                .orElse("");
        return new Problem(
                Kind.DESTINATION_SATURATED,
                Severity.WARN,
                destination,
                "Messages wait for targets that accept no more calls: " + advice.reason() + ".",
                "Send more slowly, or raise the destination's limits if the target can take more.");
    }
}
