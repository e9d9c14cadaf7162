package io.iocluster.node.problem;

import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import io.iocluster.node.problem.ServiceTimes.Slowdown;
import java.util.List;
import java.util.Locale;

/** Reports a destination whose calls wait because it has become slow. */
final class SlowDestination {

    private SlowDestination() {}

    static void addProblem(DestinationResults destination, List<Problem> problems) {
        Slowdown slowdown = destination.slowdown();
        if (slowdown == null || destination.status().waiting() == 0) {
            return;
        }
        String name = destination.status().name();
        problems.add(new Problem(
                Kind.DESTINATION_SLOW,
                Severity.WARN,
                name,
                "Destination " + name + " is slow: its calls take " + seconds(slowdown.seconds()) + ", usually "
                        + seconds(slowdown.usualSeconds()) + ". "
                        + destination.status().inFlight()
                        + " are in flight, and " + destination.status().waiting() + " wait.",
                "Ask the operator of the target. If it can take more calls at once, raise workers.max-in-flight. Give it a"
                        + " max-in-flight or a shorter timeout if it delays the calls to others."));
    }

    private static String seconds(double seconds) {
        return seconds < 1
                ? Math.max(1, Math.round(seconds * 1_000)) + " ms"
                : String.format(Locale.ROOT, "%.1f s", seconds);
    }
}
