package io.iocluster.node.metrics;

import static java.util.stream.Collectors.toSet;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.operator.OperatorStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Gauges of the destinations, updated at each scrape. {@link DestinationMeterRegistry} chooses the label; destinations that share a
 * label are added up. Not thread-safe: {@link NodeMetrics} calls it under its lock.
 */
final class DestinationGauges {

    private static final List<BreakerState> BREAKERS =
            List.of(BreakerState.CLOSED, BreakerState.OPEN, BreakerState.HALF_OPEN);

    private static final double MILLIS_PER_SECOND = 1_000;

    private final MeterRegistry registry;
    private final DestinationMeterRegistry meters;
    /** By label. Each gauge is registered once, because a registration costs more than everything else that a scrape does with it. */
    private final Map<String, Row> rows = new HashMap<>();

    private Map<String, Long> previousExhausted = Map.of();

    DestinationGauges(MeterRegistry registry, DestinationMeterRegistry meters) {
        this.registry = registry;
        this.meters = meters;
    }

    /** Updates all series; destinations that are no longer listed lose their series. */
    void update(List<DestinationStatus> all) {
        meters.setConfigured(all.stream()
                .filter(DestinationStatus::configured)
                .map(DestinationStatus::name)
                .collect(toSet()));
        Map<String, Sum> byLabel = new HashMap<>();
        Map<String, Long> exhausted = new HashMap<>();
        for (DestinationStatus each : all) {
            String label = meters.get(each.name()).destination();
            byLabel.computeIfAbsent(label, any -> new Sum()).add(each);
            // Most destinations have refused no retry.
            if (each.retryBudgetExhausted() > 0) {
                exhausted.merge(each.name(), each.retryBudgetExhausted(), Long::sum);
            }
        }
        Set<String> missing = new HashSet<>(rows.keySet());
        missing.removeAll(byLabel.keySet());
        missing.forEach(label -> rows.remove(label).remove());
        byLabel.forEach((label, sum) -> rows.computeIfAbsent(label, Row::new).update(sum));
        countExhaustedBudgets(exhausted);
    }

    /** Adds the increase since the last update. A lower count means that the destination was evicted and restarted at zero. */
    private void countExhaustedBudgets(Map<String, Long> exhausted) {
        exhausted.forEach((name, count) -> {
            long previous = previousExhausted.getOrDefault(name, 0L);
            double increase = count < previous ? count : count - previous;
            meters.get(name).retryBudgetExhausted().increment(increase);
        });
        previousExhausted = exhausted;
    }

    /** The series of a label. */
    private final class Row {

        private final Tags label;
        private final List<Meter> permanent = new ArrayList<>();
        private Meter limit;
        private Meter rateLimit;
        private Meter operatorPause;
        private Meter operatorLimit;
        private volatile Sum sum = new Sum();

        Row(String destination) {
            label = Tags.of("destination", destination);
            permanent.add(gauge("in.flight", "Attempts in flight", label, each -> each.inFlight));
            permanent.add(gauge("waiting", "Calls in the wait queue", label, each -> each.waiting));
            permanent.add(gauge(
                    "paused.seconds",
                    "Remaining pause that the target requested",
                    label,
                    each -> seconds(each.paused)));
            for (BreakerState state : BREAKERS) {
                permanent.add(gauge(
                        "breaker",
                        "Whether the breaker is in this state",
                        label.and("state", state.wireName()),
                        each -> each.breakers.getOrDefault(state, 0)));
            }
        }

        private Meter gauge(String name, String description, Tags tags, ToDoubleFunction<Sum> value) {
            return Gauge.builder("iocluster.destination." + name, this, row -> value.applyAsDouble(row.sum))
                    .description(description)
                    .tags(tags)
                    .register(registry);
        }

        void update(Sum next) {
            sum = next;
            limit = optional(
                    limit,
                    !next.isUnlimited,
                    "in.flight.limit",
                    "Maximum attempts in flight",
                    label,
                    each -> each.limit);
            rateLimit = optional(
                    rateLimit,
                    Double.isFinite(next.attemptsPerSecond),
                    "rate.limit",
                    "Maximum attempts started in a second",
                    label,
                    each -> each.attemptsPerSecond);
            operatorPause = action(operatorPause, "pause", next.operatorPause, each -> seconds(each.operatorPause));
            operatorLimit = action(operatorLimit, "limit", next.operatorLimit, each -> seconds(each.operatorLimit));
        }

        private Meter action(Meter before, String action, Duration left, ToDoubleFunction<Sum> value) {
            return optional(
                    before,
                    !left.isZero(),
                    "operator.seconds",
                    "Remaining time of an operator's action",
                    label.and("action", action),
                    value);
        }

        /** Registers or removes a series, because most destinations do not have it. */
        private Meter optional(
                Meter before, boolean exists, String name, String description, Tags tags, ToDoubleFunction<Sum> value) {
            if (exists) {
                return before == null ? gauge(name, description, tags, value) : before;
            }
            if (before != null) {
                registry.remove(before);
            }
            return null;
        }

        void remove() {
            Sum none = new Sum();
            none.isUnlimited = true;
            none.attemptsPerSecond = Double.POSITIVE_INFINITY;
            update(none);
            permanent.forEach(registry::remove);
        }
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / MILLIS_PER_SECOND;
    }

    /** The sums over the destinations of a label. Not changed after the update. */
    private static final class Sum {

        private int inFlight;
        private int waiting;
        private int limit;
        /** The sum of the limits is a limit only if every destination has one. */
        private boolean isUnlimited;

        /** Infinite if a destination has no rate. */
        private double attemptsPerSecond;

        private Duration paused = Duration.ZERO;
        private Duration operatorPause = Duration.ZERO;
        private Duration operatorLimit = Duration.ZERO;
        private final Map<BreakerState, Integer> breakers = new EnumMap<>(BreakerState.class);

        void add(DestinationStatus each) {
            inFlight += each.inFlight();
            waiting += each.waiting();
            limit += each.limit();
            isUnlimited |= each.limit() == 0;
            attemptsPerSecond += each.attemptsPerSecond();
            paused = longer(paused, each.pausedFor());
            OperatorStatus operator = each.operator();
            if (operator.pause() != null) {
                operatorPause = longer(operatorPause, operator.pause().remaining());
            }
            if (operator.limit() != null) {
                operatorLimit = longer(operatorLimit, operator.limit().remaining());
            }
            breakers.merge(each.breaker(), 1, Integer::sum);
        }

        private static Duration longer(Duration one, Duration other) {
            return one.compareTo(other) >= 0 ? one : other;
        }
    }
}
