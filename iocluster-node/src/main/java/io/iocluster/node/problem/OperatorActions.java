package io.iocluster.node.problem;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.operator.OperatorStatus;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import java.util.List;

/** Reports the actions of operators on destinations, so that other operators do not look for another cause of waiting calls. */
final class OperatorActions {

    private OperatorActions() {}

    /** Adds a problem for each action that is in force at the destination. */
    static void addProblems(DestinationStatus destination, List<Problem> problems) {
        String name = destination.name();
        OperatorStatus.Pause pause = destination.operator().pause();
        if (pause != null) {
            problems.add(new Problem(
                    Kind.DESTINATION_PAUSED,
                    Severity.WARN,
                    name,
                    "An operator paused destination " + name + " until " + pause.until() + ". " + waiting(destination),
                    "Resume it when the reason for the pause is gone, or wait: the pause ends by itself."));
        }
        OperatorStatus.Limit limit = destination.operator().limit();
        if (limit != null) {
            problems.add(new Problem(
                    Kind.DESTINATION_LIMITED,
                    Severity.WARN,
                    name,
                    "An operator limits destination " + name + " to " + text(limit) + " until " + limit.until() + ". "
                            + waiting(destination),
                    "Remove the limit when the reason for it is gone, or wait: the limit ends by itself."));
        }
    }

    private static String waiting(DestinationStatus destination) {
        return destination.waiting() + " calls to the destination wait.";
    }

    private static String text(OperatorStatus.Limit limit) {
        if (limit.rate() == null) {
            return limit.maxInFlight() + " in flight";
        }
        return limit.maxInFlight() == null
                ? limit.rate().toString()
                : limit.maxInFlight() + " in flight and " + limit.rate();
    }
}
