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
import java.util.stream.Stream;

/**
 * Holds the meters of the configured destinations and, up to a limit, of the busiest others. All further destinations share the
 * label {@code other}, so that senders cannot grow the memory or the metrics of the node. Thread-safe.
 *
 * <p>The first destinations get a label at once. Later, {@link #reassignLabels} gives the labels of the idlest to clearly busier
 * destinations, a few at a time. A destination that loses its label loses its series: they end in Prometheus, and start at zero if
 * they return, as after a restart. Their counts are not added to {@code other}, because its rate would jump. Therefore a query may
 * sum rates over all destinations, but not raw counters.
 */
final class DestinationMeterRegistry {

    static final Duration REASSIGN_INTERVAL = Duration.ofMinutes(1);

    private static final String OTHER = "other";

    /** Minimum events since the last reassignment for a label: one per second. */
    private static final long MIN_EVENTS_FOR_LABEL = REASSIGN_INTERVAL.toSeconds();

    /** Unlabelled destinations whose events are counted, per label, to find the busiest. */
    private static final int CANDIDATES_PER_LABEL = 10;

    private final MeterRegistry registry;
    private final int limit;
    private final LongSupplier nanoTime;
    private final CallMeters other;
    private volatile Map<String, CallMeters> configured = Map.of();
    private final Map<String, Labelled> labelled = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> candidates = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private long reassignedNanos;

    DestinationMeterRegistry(MeterRegistry registry, int limit, LongSupplier nanoTime) {
        this.registry = registry;
        this.limit = limit;
        this.nanoTime = nanoTime;
        this.other = new CallMeters(registry, OTHER);
        this.reassignedNanos = nanoTime.getAsLong();
    }

    /** Returns the meters for an event, and labels the destination if a label is free. Null means that the destination is unknown. */
    CallMeters getOrAdmit(String destination) {
        if (destination == null || destination.equals(OTHER)) {
            return other;
        }
        CallMeters own = configured.get(destination);
        if (own != null) {
            return own;
        }
        Labelled known = labelled.get(destination);
        if (known == null && labelled.size() < limit) {
            known = admit(destination);
        }
        if (known == null) {
            countUnlabelled(destination);
            return other;
        }
        return known.meters;
    }

    /** Returns the meters that the destination has now, {@code other} if it has no label. */
    CallMeters get(String destination) {
        CallMeters own = configured.get(destination);
        Labelled known = labelled.get(destination);
        if (own == null && known == null) {
            return other;
        }
        return own == null ? known.meters : own;
    }

    /** Returns the meters of all labels, in the order of the labels. */
    List<CallMeters> all() {
        return Stream.of(
                        configured.values().stream(),
                        labelled.values().stream().map(each -> each.meters),
                        Stream.of(other))
                .flatMap(each -> each)
                .sorted(Comparator.comparing(CallMeters::destination))
                .toList();
    }

    /** Sets the configured destinations. They always have a label and do not count towards the limit. */
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
        // Counts continue: the registry returned the existing counters for the new CallMeters.
        labelled.keySet().removeAll(destinations);
        candidates.keySet().removeAll(destinations);
        before.forEach((name, meters) -> {
            if (!next.containsKey(name)) {
                meters.remove();
            }
        });
    }

    private synchronized Labelled admit(String destination) {
        return labelled.size() < limit && !configured.containsKey(destination)
                ? labelled.computeIfAbsent(destination, this::labelled)
                : labelled.get(destination);
    }

    private Labelled labelled(String destination) {
        return new Labelled(new CallMeters(registry, destination));
    }

    private void countUnlabelled(String destination) {
        AtomicLong events = candidates.get(destination);
        if (events == null) {
            if (candidates.size() >= limit * CANDIDATES_PER_LABEL) {
                return; // Each reassignment frees entries, and a busy destination soon gets one.
            }
            events = candidates.computeIfAbsent(destination, any -> new AtomicLong());
        }
        events.incrementAndGet();
    }

    /** Gives labels to the busiest destinations, at most once per {@link #REASSIGN_INTERVAL}. Call it before each scrape. */
    synchronized void reassignLabels() {
        long now = nanoTime.getAsLong();
        if (now - reassignedNanos < REASSIGN_INTERVAL.toNanos()) {
            return;
        }
        reassignedNanos = now;
        labelled.values().forEach(Labelled::age);
        // Few at a time, because each change ends some series in Prometheus and starts others.
        int changes = Math.max(1, limit / 10);
        List<Map.Entry<String, Labelled>> idlest = labelled.entrySet().stream()
                .sorted(Comparator.comparingLong(each -> each.getValue().weight))
                .limit(changes)
                .toList();
        List<Candidate> busiest = candidates.entrySet().stream()
                .map(each -> new Candidate(each.getKey(), each.getValue().get()))
                .sorted(Comparator.comparingLong(Candidate::events).reversed())
                .limit(changes)
                .toList();
        for (int i = 0; i < Math.min(idlest.size(), busiest.size()); i++) {
            if (busiest.get(i).isClearlyBusierThan(idlest.get(i).getValue())) {
                replace(idlest.get(i).getKey(), busiest.get(i));
            }
        }
        candidates.values().removeIf(events -> events.updateAndGet(before -> before / 2) == 0);
    }

    @GuardedBy("this")
    private void replace(String idle, Candidate candidate) {
        candidates.remove(candidate.destination());
        labelled.remove(idle).meters.remove();
        labelled.computeIfAbsent(candidate.destination(), this::labelled).weight = candidate.events();
    }

    /** An unlabelled destination with its events, which are halved at each reassignment. */
    private record Candidate(String destination, long events) {

        /** Returns whether this one is so much busier that the two do not swap labels repeatedly. */
        boolean isClearlyBusierThan(Labelled idle) {
            return events >= MIN_EVENTS_FOR_LABEL && events > 2 * idle.weight;
        }
    }

    /** A labelled destination. Its counts are guarded by the lock of the registry. */
    private static final class Labelled {

        private final CallMeters meters;
        private long seen;
        private long weight;

        Labelled(CallMeters meters) {
            this.meters = meters;
        }

        /** Updates the weight in the same way as the events of unlabelled destinations. */
        void age() {
            long events = meters.eventCount();
            weight = weight / 2 + events - seen;
            seen = events;
        }
    }
}
