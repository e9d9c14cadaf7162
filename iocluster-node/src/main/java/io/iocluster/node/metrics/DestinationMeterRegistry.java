package io.iocluster.node.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The meters of the configured destinations and of the busiest others, as many as the limit allows; the rest share the name
 * {@code other}, so that no sender can make the node's memory or its metrics grow. Safe for use by several threads.
 *
 * <p>The first to come get a name at once. From then on a {@link #reassignLabels} gives the names of the idlest to those of the
 * others that are clearly busier, a few at a time. Whoever loses its name takes its series along: Prometheus sees them end,
 * and if they come back they begin at zero, as after a restart. What they had counted is not moved to {@code other}, whose
 * rate would leap; so rates may be summed over all destinations, and bare counters may not.
 */
final class DestinationMeterRegistry {

    static final Duration REASSIGN_INTERVAL = Duration.ofMinutes(1);

    private static final String OTHER = "other";

    /** Fewer events than these since the last review are not worth a name: one a second. */
    private static final long WORTH_A_NAME = REASSIGN_INTERVAL.toSeconds();

    /** So many without a name are watched for each name, to find the busiest of them. */
    private static final int RIVALS_FOR_EACH_NAME = 10;

    private final MeterRegistry registry;
    private final int limit;
    private final LongSupplier nanoTime;
    private final CallMeters other;
    private volatile Map<String, CallMeters> configured = Map.of();
    private final Map<String, Named> named = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> rivals = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private long reviewed;

    DestinationMeterRegistry(MeterRegistry registry, int limit, LongSupplier nanoTime) {
        this.registry = registry;
        this.limit = limit;
        this.nanoTime = nanoTime;
        this.other = new CallMeters(registry, OTHER);
        this.reviewed = nanoTime.getAsLong();
    }

    /** Where one event is counted. Null stands for a call whose destination was never understood. */
    CallMeters getOrAdmit(String destination) {
        if (destination == null || destination.equals(OTHER)) {
            return other;
        }
        CallMeters own = configured.get(destination);
        if (own != null) {
            return own;
        }
        Named known = named.get(destination);
        if (known == null && named.size() < limit) {
            known = admit(destination);
        }
        if (known == null) {
            watch(destination);
            return other;
        }
        return known.meters;
    }

    /** Where one's state is shown. Gives nobody a name. */
    CallMeters get(String destination) {
        CallMeters own = configured.get(destination);
        Named known = named.get(destination);
        if (own == null && known == null) {
            return other;
        }
        return own == null ? known.meters : own;
    }

    /** From now on these have their names, busy or not, and leave the limit to the others. */
    synchronized void setConfigured(Set<String> destinations) {
        Map<String, CallMeters> before = configured;
        if (destinations.equals(before.keySet())) {
            return;
        }
        Map<String, CallMeters> next = new HashMap<>();
        for (String each : destinations) {
            CallMeters kept = before.get(each);
            next.put(each, kept == null ? new CallMeters(registry, each) : kept);
        }
        configured = next;
        // What one had counted goes on: the registry gave its new meters the counters of its old ones.
        named.keySet().removeAll(destinations);
        rivals.keySet().removeAll(destinations);
        before.forEach((name, meters) -> {
            if (!next.containsKey(name)) {
                meters.remove();
            }
        });
    }

    private synchronized Named admit(String destination) {
        return named.size() < limit && !configured.containsKey(destination)
                ? named.computeIfAbsent(destination, this::named)
                : named.get(destination);
    }

    private Named named(String destination) {
        return new Named(new CallMeters(registry, destination));
    }

    private void watch(String destination) {
        AtomicLong events = rivals.get(destination);
        if (events == null) {
            if (rivals.size() >= limit * RIVALS_FOR_EACH_NAME) {
                return; // Each review makes room; who is busy comes often enough to find it.
            }
            events = rivals.computeIfAbsent(destination, any -> new AtomicLong());
        }
        events.incrementAndGet();
    }

    /** Lets the busiest have the names, at most once a minute. Whoever is about to look at the meters calls it. */
    synchronized void reassignLabels() {
        long now = nanoTime.getAsLong();
        if (now - reviewed < REASSIGN_INTERVAL.toNanos()) {
            return;
        }
        reviewed = now;
        named.values().forEach(Named::age);
        // Few at a time: each change ends some series in Prometheus and begins others.
        int changes = Math.max(1, limit / 10);
        List<Map.Entry<String, Named>> idlest = named.entrySet().stream()
                .sorted(Comparator.comparingLong(each -> each.getValue().weight))
                .limit(changes)
                .toList();
        List<Rival> busiest = rivals.entrySet().stream()
                .map(each -> new Rival(each.getKey(), each.getValue().get()))
                .sorted(Comparator.comparingLong(Rival::events).reversed())
                .limit(changes)
                .toList();
        for (int i = 0; i < Math.min(idlest.size(), busiest.size()); i++) {
            if (busiest.get(i).isClearlyBusierThan(idlest.get(i).getValue())) {
                replace(idlest.get(i).getKey(), busiest.get(i));
            }
        }
        rivals.values().removeIf(events -> events.updateAndGet(before -> before / 2) == 0);
    }

    @GuardedBy("this")
    private void replace(String idle, Rival rival) {
        rivals.remove(rival.destination());
        named.remove(idle).meters.remove();
        named.computeIfAbsent(rival.destination(), this::named).weight = rival.events();
    }

    /** A destination without a name, and its events: those since the last review, half of those before, and so on. */
    private record Rival(String destination, long events) {

        /** By so much that the two do not change places again and again. */
        boolean isClearlyBusierThan(Named idle) {
            return events >= WORTH_A_NAME && events > 2 * idle.weight;
        }
    }

    /** A destination with a name. Its numbers are confined to the review. */
    private static final class Named {

        private final CallMeters meters;
        private long seen;
        private long weight;

        Named(CallMeters meters) {
            this.meters = meters;
        }

        /** Counts like a rival's events. */
        void age() {
            long events = meters.eventCount();
            weight = weight / 2 + events - seen;
            seen = events;
        }
    }
}
