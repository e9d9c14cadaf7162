package io.iocluster.node.problem;

import io.iocluster.node.window.HalfWindow;
import io.iocluster.producer.AppStatus;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** How many calls each app sends, against its own past, and how many of them get no answer. Confined to one thread. */
final class AppHistory {

    /** An app has grown if the odds that a call is of this app are this many times the usual odds. Equal growth of all apps does not change them. */
    private static final double GROWN = 3;

    private final HalfWindow<Map<String, Totals>> window;
    private final Map<String, UsualValue> usualShares = new HashMap<>();
    private boolean known;

    private record Totals(long arrived, long unanswered) {}

    /**
     * What the apps did in the last seconds.
     *
     * @param grown apps that send a larger part of the calls than usual
     * @param mostUnanswered the app with most of the calls without an answer; null if no call was without one
     */
    record Recent(Set<String> grown, String mostUnanswered) {}

    AppHistory(long nowNanos) {
        this.window = new HalfWindow<>(Duration.ofSeconds(5), Map.of(), nowNanos);
    }

    /** Adds what the apps do now. */
    Recent update(List<AppStatus> apps, long nowNanos) {
        Map<String, Totals> now =
                apps.stream().collect(Collectors.toMap(AppStatus::name, AppHistory::totals, (one, other) -> other));
        Map<String, Totals> start = window.advance(() -> now, nowNanos);
        Map<String, Totals> recent = new HashMap<>();
        now.forEach((name, totals) -> recent.put(name, difference(totals, start.get(name))));
        double all = recent.values().stream().mapToLong(Totals::arrived).sum();
        usualShares.keySet().retainAll(now.keySet());
        Set<String> grown = new HashSet<>();
        if (!start.isEmpty() && all > 0) {
            recent.forEach((name, totals) -> {
                if (isGrown(name, totals.arrived / all, nowNanos)) {
                    grown.add(name);
                }
            });
            known = true;
        }
        return new Recent(
                grown,
                recent.entrySet().stream()
                        .filter(each -> each.getValue().unanswered > 0)
                        .max(Comparator.comparingLong(each -> each.getValue().unanswered))
                        .map(Map.Entry::getKey)
                        .orElse(null));
    }

    private boolean isGrown(String name, double share, long nowNanos) {
        // An app that appears later has sent nothing before.
        UsualValue usual = usualShares.computeIfAbsent(name, any -> new UsualValue(known ? 0 : share, nowNanos));
        boolean grown = share * (1 - usual.get()) > GROWN * usual.get() * (1 - share);
        usual.add(share, grown, nowNanos);
        return grown;
    }

    private static Totals totals(AppStatus app) {
        long unanswered = app.failed() + app.expired();
        return new Totals(app.answered() + app.rejected() + unanswered + app.inFlight() + app.waiting(), unanswered);
    }

    /** The counts of an app restart if the node had forgotten it. */
    private static Totals difference(Totals now, Totals before) {
        return before == null || now.arrived < before.arrived
                ? now
                : new Totals(now.arrived - before.arrived, Math.max(0, now.unanswered - before.unanswered));
    }
}
