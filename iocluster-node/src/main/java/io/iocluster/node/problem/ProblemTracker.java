package io.iocluster.node.problem;

import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.ProblemMonitor.OpenProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Remembers since when each problem exists. Reports a problem that comes and goes while a backlog drains only if it lasts. Confined to the
 * thread of the {@link ProblemMonitor}.
 */
final class ProblemTracker {

    /** The kinds that depend on which calls the node works on at the moment. */
    private static final Set<Kind> FLUCTUATING = EnumSet.of(Kind.APP_DOMINATES);

    /** A fluctuating problem is reported after this time. */
    private static final long SETTLED_NANOS = Duration.ofSeconds(10).toNanos();

    /** A fluctuating problem has ended when it was not found for this time. */
    private static final long GONE_NANOS = Duration.ofSeconds(5).toNanos();

    private Map<Key, Sighting> sightings = Map.of();

    private record Key(Kind kind, String subject) {}

    /** A problem as it was found last, with the times of its first and last sightings. */
    private record Sighting(Problem problem, Instant since, long firstNanos, long lastNanos) {}

    /** Returns the problems to report, most urgent first, after these were found. */
    List<OpenProblem> update(List<Problem> found, Instant now, long nowNanos) {
        Map<Key, Sighting> next = new HashMap<>();
        for (Problem problem : found) {
            Key key = new Key(problem.kind(), problem.subject());
            Sighting before = sightings.getOrDefault(key, new Sighting(problem, now, nowNanos, nowNanos));
            next.put(key, new Sighting(problem, before.since, before.firstNanos, nowNanos));
        }
        List<Problem> open = new ArrayList<>(found);
        sightings.forEach((key, before) -> {
            if (FLUCTUATING.contains(key.kind)
                    && nowNanos - before.lastNanos < GONE_NANOS
                    && next.putIfAbsent(key, before) == null) {
                open.add(before.problem);
            }
        });
        sightings = next;
        return open.stream()
                .filter(problem -> isReported(problem, nowNanos))
                .sorted(Problem.MOST_URGENT_FIRST)
                .map(problem -> new OpenProblem(problem, sighting(problem).since))
                .toList();
    }

    private boolean isReported(Problem problem, long nowNanos) {
        return !FLUCTUATING.contains(problem.kind()) || nowNanos - sighting(problem).firstNanos >= SETTLED_NANOS;
    }

    private Sighting sighting(Problem problem) {
        return sightings.get(new Key(problem.kind(), problem.subject()));
    }
}
