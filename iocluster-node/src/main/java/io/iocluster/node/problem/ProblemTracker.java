package io.iocluster.node.problem;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Remembers since when each problem exists, and decides when it is reported and over. It is the only place that does, so that no
 * headline comes and goes. Confined to one thread.
 *
 * @param <P> a problem
 */
public final class ProblemTracker<P> {

    private final Function<P, Object> identity;
    private final Function<P, Timing> timing;
    private Map<Object, Sighting<P>> sightings = Map.of();

    /**
     * When a problem is reported.
     *
     * @param confirmAfter how long it must have been found
     * @param holdFor how long it stays after it was found last
     */
    public record Timing(Duration confirmAfter, Duration holdFor) {

        /** A figure may miss its threshold for a moment. */
        static final Duration HOLD = Duration.ofSeconds(5);
    }

    /** A problem and the time since when it exists. */
    public record Tracked<P>(P problem, Instant since) {}

    /** A problem as it was found last, with the times of its first and last sightings. */
    private record Sighting<P>(P problem, Instant since, long firstNanos, long lastNanos) {}

    /**
     * Creates a tracker.
     *
     * @param identity returns what a problem has in common with its later sightings
     */
    public ProblemTracker(Function<P, Object> identity, Function<P, Timing> timing) {
        this.identity = identity;
        this.timing = timing;
    }

    /** Returns the problems to report after these were found, those that were found now first. */
    public List<Tracked<P>> update(List<P> found, Instant now, long nowNanos) {
        Map<Object, Sighting<P>> next = new LinkedHashMap<>();
        for (P problem : found) {
            Object key = identity.apply(problem);
            Sighting<P> before = sightings.get(key);
            next.put(
                    key,
                    before == null
                            ? new Sighting<>(problem, now, nowNanos, nowNanos)
                            : new Sighting<>(problem, before.since, before.firstNanos, nowNanos));
        }
        sightings.forEach((key, before) -> {
            if (nowNanos - before.lastNanos
                    < timing.apply(before.problem).holdFor().toNanos()) {
                next.putIfAbsent(key, before);
            }
        });
        sightings = next;
        List<Tracked<P>> reported = new ArrayList<>();
        next.values().forEach(each -> {
            if (nowNanos - each.firstNanos
                    >= timing.apply(each.problem).confirmAfter().toNanos()) {
                reported.add(new Tracked<>(each.problem, each.since));
            }
        });
        return reported;
    }
}
