package io.iocluster.node.problem;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.window.HalfWindow;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How long the attempts at each destination take, against its own past. By Little's law, the time is the attempts in flight divided by those
 * that end a second, so it rises as soon as a target slows down, before the slow attempts end. Confined to one thread.
 */
final class ServiceTimes {

    /** A destination is slow if its attempts take this many times as long as usual. */
    private static final double SLOW = 3;

    /** Minimum attempts in a window that show what is usual. */
    private static final int MIN_ENDED = 10;

    private final HalfWindow<Map<String, Totals>> window;
    private final Map<String, UsualValue> usual = new HashMap<>();
    private Map<String, Totals> totals = Map.of();
    private long lastNanos;

    private record Totals(double inFlightSeconds, long ended) {}

    /** How long an attempt takes now, and usually. */
    record Slowdown(double seconds, double usualSeconds) {}

    ServiceTimes(long nowNanos) {
        this.window = new HalfWindow<>(Duration.ofSeconds(5), Map.of(), nowNanos);
        this.lastNanos = nowNanos;
    }

    /** Adds what the destinations do now, and returns those that are slow; none if all are slow, because then the node is the cause. */
    Map<String, Slowdown> update(List<DestinationStatus> destinations, long nowNanos) {
        double passed = (nowNanos - lastNanos) / 1e9;
        lastNanos = nowNanos;
        Map<String, Totals> before = totals;
        totals = destinations.stream()
                .collect(Collectors.toMap(
                        DestinationStatus::name,
                        each -> {
                            Totals last = before.get(each.name());
                            double inFlight = last == null ? 0 : last.inFlightSeconds;
                            return new Totals(
                                    inFlight + each.inFlight() * passed,
                                    each.attempts().ended());
                        },
                        (one, other) -> other));
        Map<String, Totals> start = window.advance(() -> totals, nowNanos);
        usual.keySet().retainAll(totals.keySet());
        Map<String, Slowdown> slow = new HashMap<>();
        int active = 0;
        for (Map.Entry<String, Totals> each : totals.entrySet()) {
            Totals first = start.get(each.getKey());
            if (first == null || each.getValue().ended < first.ended) {
                continue;
            }
            long ended = each.getValue().ended - first.ended;
            double inFlight = each.getValue().inFlightSeconds - first.inFlightSeconds;
            active += inFlight > 0 ? 1 : 0;
            addTo(slow, each.getKey(), inFlight / Math.max(1, ended), ended, nowNanos);
        }
        return active > 1 && slow.size() == active ? Map.of() : slow;
    }

    private void addTo(Map<String, Slowdown> slow, String name, double seconds, long ended, long nowNanos) {
        UsualValue known = usual.get(name);
        if (known == null) {
            if (ended >= MIN_ENDED) {
                usual.put(name, new UsualValue(seconds, nowNanos));
            }
            return;
        }
        boolean unusual = seconds >= SLOW * known.get();
        if (unusual) {
            slow.put(name, new Slowdown(seconds, known.get()));
        }
        if (unusual || ended >= MIN_ENDED) {
            known.add(seconds, unusual, nowNanos);
        }
    }
}
