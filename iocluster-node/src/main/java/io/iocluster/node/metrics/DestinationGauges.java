package io.iocluster.node.metrics;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Shows each destination as it stood at the last scrape, under the name that {@link DestinationMeterRegistry} gives it: what has none
 * is added up. Confined to the scrape, one at a time.
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
    private Map<String, Long> refusedBefore = Map.of();

    DestinationGauges(MeterRegistry registry, DestinationMeterRegistry meters) {
        this.registry = registry;
        this.meters = meters;
        inFlight = rows("iocluster.destination.in.flight", "Attempts under way");
        limit = rows("iocluster.destination.in.flight.limit", "Most attempts under way at once");
        waiting = rows("iocluster.destination.waiting", "Calls in the line");
        breaker = rows("iocluster.destination.breaker", "Whether the breaker is in this state");
        paused = rows("iocluster.destination.paused.seconds", "How long it asked to be left alone still");
    }

    private MultiGauge rows(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    /** Takes over all destinations; those that are gone take their rows with them. */
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
        breaker.register(
                BREAKERS.stream().flatMap(state -> breakers(byLabel, state)).toList(), true);
        // A sum is the limit of all of them only if each has one.
        byLabel.values().removeIf(each -> each.stream().anyMatch(one -> one.limit() == 0));
        limit.register(rows(byLabel, each -> sum(each, DestinationStatus::limit)), true);
        countRefused(all);
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

    private static Stream<Row<Number>> breakers(Map<String, List<DestinationStatus>> byLabel, BreakerState state) {
        return byLabel.entrySet().stream()
                .map(each -> Row.of(
                        Tags.of("destination", each.getKey(), "state", state.wireName()),
                        sum(each.getValue(), one -> one.breaker() == state ? 1 : 0)));
    }

    /** A destination that was forgotten meanwhile has counted from zero since. */
    private void countRefused(List<DestinationStatus> all) {
        Map<String, Long> refused = new HashMap<>();
        all.forEach(each -> refused.merge(each.name(), each.retryBudgetExhausted(), Long::sum));
        refused.forEach((name, count) -> {
            long before = refusedBefore.getOrDefault(name, 0L);
            double more = count < before ? count : count - before;
            meters.get(name).retryBudgetExhausted().increment(more);
        });
        refusedBefore = refused;
    }
}
