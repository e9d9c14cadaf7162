package io.iocluster.node.metrics;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.operator.OperatorStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Gauges of the destinations, updated at each scrape. {@link DestinationMeterRegistry} chooses the label; destinations that share a
 * label are added up. Not thread-safe: {@link NodeMetrics} calls it under its lock.
 */
final class DestinationGauges {

    private static final List<BreakerState> BREAKERS =
            List.of(BreakerState.CLOSED, BreakerState.OPEN, BreakerState.HALF_OPEN);

    private final MeterRegistry registry;
    private final DestinationMeterRegistry meters;
    private final MultiGauge inFlight;
    private final MultiGauge limit;
    private final MultiGauge waiting;
    private final MultiGauge breaker;
    private final MultiGauge paused;
    private final MultiGauge operator;
    private Map<String, Long> previousExhausted = Map.of();

    DestinationGauges(MeterRegistry registry, DestinationMeterRegistry meters) {
        this.registry = registry;
        this.meters = meters;
        inFlight = rows("iocluster.destination.in.flight", "Attempts in flight");
        limit = rows("iocluster.destination.in.flight.limit", "Maximum attempts in flight");
        waiting = rows("iocluster.destination.waiting", "Calls in the wait queue");
        breaker = rows("iocluster.destination.breaker", "Whether the breaker is in this state");
        paused = rows("iocluster.destination.paused.seconds", "Remaining pause that the target requested");
        operator = rows("iocluster.destination.operator.seconds", "Remaining time of an operator's action");
    }

    private MultiGauge rows(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    /** Replaces all rows; destinations that are no longer listed lose their rows. */
    void update(List<DestinationStatus> all) {
        meters.setConfigured(all.stream()
                .filter(DestinationStatus::configured)
                .map(DestinationStatus::name)
                .collect(toSet()));
        Map<String, List<DestinationStatus>> byLabel =
                all.stream().collect(groupingBy(each -> meters.get(each.name()).destination(), TreeMap::new, toList()));
        inFlight.register(rows(byLabel, each -> sum(each, DestinationStatus::inFlight)), true);
        waiting.register(rows(byLabel, each -> sum(each, DestinationStatus::waiting)), true);
        paused.register(rows(byLabel, DestinationGauges::pausedSeconds), true);
        operator.register(
                Stream.concat(
                                operatorRows(byLabel, "pause", DestinationGauges::operatorPause),
                                operatorRows(byLabel, "limit", DestinationGauges::operatorLimit))
                        .toList(),
                true);
        breaker.register(
                BREAKERS.stream().flatMap(state -> breakers(byLabel, state)).toList(), true);
        // The sum is a limit only if every destination of the label has one; 0 means no limit.
        byLabel.values().removeIf(each -> each.stream().anyMatch(one -> one.limit() == 0));
        limit.register(rows(byLabel, each -> sum(each, DestinationStatus::limit)), true);
        countExhaustedBudgets(all);
    }

    private static List<Row<Number>> rows(
            Map<String, List<DestinationStatus>> byLabel, ToDoubleFunction<List<DestinationStatus>> value) {
        return byLabel.entrySet().stream()
                .map(each -> Row.of(Tags.of("destination", each.getKey()), value.applyAsDouble(each.getValue())))
                .toList();
    }

    private static int sum(List<DestinationStatus> destinations, ToIntFunction<DestinationStatus> value) {
        return destinations.stream().mapToInt(value).sum();
    }

    private static double pausedSeconds(List<DestinationStatus> destinations) {
        return destinations.stream()
                .mapToDouble(each -> each.pausedFor().toMillis() / 1_000.0)
                .max()
                .orElse(0);
    }

    /** Returns rows only for destinations with such an action, because most have none. */
    private static Stream<Row<Number>> operatorRows(
            Map<String, List<DestinationStatus>> byLabel, String action, Function<DestinationStatus, Duration> left) {
        return byLabel.entrySet().stream()
                .flatMap(each -> each.getValue().stream()
                        .map(left)
                        .max(Comparator.naturalOrder())
                        .filter(longest -> !longest.isZero())
                        .map(longest -> Row.of(
                                Tags.of("destination", each.getKey(), "action", action), longest.toMillis() / 1_000.0))
                        .stream());
    }

    private static Duration operatorPause(DestinationStatus destination) {
        OperatorStatus.Pause pause = destination.operator().pause();
        return pause == null ? Duration.ZERO : pause.remaining();
    }

    private static Duration operatorLimit(DestinationStatus destination) {
        OperatorStatus.Limit limit = destination.operator().limit();
        return limit == null ? Duration.ZERO : limit.remaining();
    }

    private static Stream<Row<Number>> breakers(Map<String, List<DestinationStatus>> byLabel, BreakerState state) {
        return byLabel.entrySet().stream()
                .map(each -> Row.of(
                        Tags.of("destination", each.getKey(), "state", state.wireName()),
                        sum(each.getValue(), one -> one.breaker() == state ? 1 : 0)));
    }

    /** Adds the increase since the last update. A lower count means that the destination was evicted and restarted at zero. */
    private void countExhaustedBudgets(List<DestinationStatus> all) {
        Map<String, Long> exhausted = new HashMap<>();
        all.forEach(each -> exhausted.merge(each.name(), each.retryBudgetExhausted(), Long::sum));
        exhausted.forEach((name, count) -> {
            long previous = previousExhausted.getOrDefault(name, 0L);
            double increase = count < previous ? count : count - previous;
            meters.get(name).retryBudgetExhausted().increment(increase);
        });
        previousExhausted = exhausted;
    }
}
