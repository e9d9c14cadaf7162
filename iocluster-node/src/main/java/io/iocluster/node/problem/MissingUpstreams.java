package io.iocluster.node.problem;

import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import io.iocluster.upstream.UpstreamState;
import io.iocluster.upstream.UpstreamStatus;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reports each destination at which half or more of the upstreams get no calls. */
final class MissingUpstreams {

    private static final int MAX_NAMED = 3;

    private MissingUpstreams() {}

    static void addProblems(List<UpstreamStatus> upstreams, List<Problem> problems) {
        Map<String, List<UpstreamStatus>> byDestination = upstreams.stream()
                .collect(Collectors.groupingBy(UpstreamStatus::destination, TreeMap::new, Collectors.toList()));
        byDestination.forEach((destination, all) -> {
            List<UpstreamStatus> out =
                    all.stream().filter(UpstreamStatus::isOut).toList();
            if (!out.isEmpty() && out.size() * 2 >= all.size()) {
                problems.add(problem(destination, all, out));
            }
        });
    }

    private static Problem problem(String destination, List<UpstreamStatus> all, List<UpstreamStatus> out) {
        boolean none = out.size() == all.size();
        String named = out.stream().limit(MAX_NAMED).map(MissingUpstreams::text).collect(Collectors.joining(", "));
        return new Problem(
                Kind.UPSTREAMS_OUT,
                none ? Severity.BAD : Severity.WARN,
                destination,
                out.size() + " of " + all.size() + " upstreams of destination " + destination
                        + (none ? " fail: " : " get no calls: ") + named + (out.size() > MAX_NAMED ? ", …" : "") + ".",
                none
                        ? "The node calls them anyway. Check the replicas, and the URL in upstreams.health-check."
                        : "The others take their calls. Check these replicas before the others are overloaded.");
    }

    private static String text(UpstreamStatus upstream) {
        return upstream.upstream()
                + (upstream.state() == UpstreamState.EJECTED ? " (ejected, " : " (unhealthy, ")
                + upstream.problem() + ")";
    }
}
