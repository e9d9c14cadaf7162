package io.iocluster.simulation;

import io.iocluster.simulation.cluster.Fault;
import io.iocluster.simulation.cluster.PlannedCall;
import io.iocluster.simulation.cluster.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Looks for the smallest part of a schedule that still fails, by delta debugging (Zeller and Hildebrandt 2002). Immutable. */
final class Shrinker {

    private final Predicate<Schedule> fails;

    /**
     * Creates a shrinker.
     *
     * @param fails whether a schedule shows the violation
     */
    Shrinker(Predicate<Schedule> fails) {
        this.fails = fails;
    }

    /** Returns the smallest schedule found; at most this one. */
    Schedule shrink(Schedule schedule) {
        Schedule small = schedule;
        int before;
        do {
            before = small.calls().size() + small.faults().size();
            Schedule now = small;
            List<Fault> faults = minimize(now.faults(), some -> now.with(now.calls(), some));
            List<PlannedCall> calls = minimize(now.calls(), some -> now.with(some, faults));
            small = now.with(calls, faults);
        } while (small.calls().size() + small.faults().size() < before);
        return small;
    }

    private <T> List<T> minimize(List<T> all, Function<List<T>, Schedule> schedule) {
        List<T> items = all;
        int chunks = 2;
        while (!items.isEmpty()) {
            int size = (items.size() + chunks - 1) / chunks;
            List<T> smaller = null;
            for (int from = 0; from < items.size() && smaller == null; from += size) {
                List<T> rest = new ArrayList<>(items.subList(0, from));
                rest.addAll(items.subList(Math.min(items.size(), from + size), items.size()));
                if (fails.test(schedule.apply(rest))) {
                    smaller = rest;
                }
            }
            if (smaller != null) {
                items = smaller;
                chunks = Math.max(2, chunks - 1);
            } else if (size == 1) {
                return items;
            } else {
                chunks = Math.min(items.size(), chunks * 2);
            }
        }
        return items;
    }
}
