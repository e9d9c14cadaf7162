package io.iocluster.node.history;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.node.history.SampleRing.Samples;
import io.iocluster.node.metrics.DestinationAttempts;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The samples of the destinations that matter most: first those in trouble, then the busiest. Another destination takes the place of
 * a recorded one only if it clearly matters more. Confined to the thread of the recorder, except {@link #samples}.
 */
final class DestinationHistories {

    /** Another destination must be this many times as busy, because its history begins empty. */
    private static final int CLEARLY_BUSIER = 2;

    /** A destination is in trouble from this share of errors. */
    private static final double TROUBLE_ERROR_SHARE = 0.1;

    private final int maxDestinations;
    private final int capacity;
    private final Map<String, RecordedDestination> recorded = new ConcurrentHashMap<>();

    /** The totals of each destination at the previous sample. */
    private Map<String, AttemptTotals> previous = Map.of();

    private record Candidate(DestinationStatus status, double attempts, boolean troubled) {}

    /**
     * Creates the histories.
     *
     * @param maxDestinations maximum number of destinations that are recorded; 0 for none
     * @param capacity maximum number of samples of each
     */
    DestinationHistories(int maxDestinations, int capacity) {
        this.maxDestinations = maxDestinations;
        this.capacity = capacity;
    }

    /** Returns whether nothing is recorded. */
    boolean isOff() {
        return maxDestinations == 0 || capacity == 0;
    }

    /** Adds a sample of each recorded destination. */
    void add(long epochMillis, long nanos, List<DestinationStatus> all, List<DestinationAttempts> attempts) {
        List<Candidate> candidates = all.stream()
                .filter(each -> each.attempts().started() > 0)
                .map(this::candidate)
                .sorted(Comparator.comparing(Candidate::troubled)
                        .thenComparing(Candidate::attempts)
                        .reversed())
                .toList();
        Map<String, AttemptTotals> totals = all.stream()
                .collect(Collectors.toMap(DestinationStatus::name, DestinationStatus::attempts, (one, same) -> one));
        updateImportance(candidates);
        candidates.stream().limit(maxDestinations).forEach(this::record);
        Map<String, DestinationAttempts> byName = attempts.stream()
                .collect(Collectors.toMap(DestinationAttempts::destination, each -> each, (one, same) -> one));
        recorded.forEach((name, each) -> {
            DestinationAttempts ended = byName.get(name);
            each.add(epochMillis, nanos, totals.get(name), ended == null ? List.of() : ended.durations());
        });
        previous = totals;
    }

    private Candidate candidate(DestinationStatus status) {
        AttemptTotals before = previous.getOrDefault(status.name(), AttemptTotals.NONE);
        AttemptTotals after = status.attempts();
        boolean restarted = after.started() < before.started();
        AttemptTotals base = restarted ? AttemptTotals.NONE : before;
        long ended = after.ended() - base.ended();
        boolean failing = ended > 0 && after.errors() - base.errors() >= ended * TROUBLE_ERROR_SHARE;
        boolean troubled = failing || status.breaker() == BreakerState.OPEN || status.waiting() > 0;
        return new Candidate(status, after.started() - base.started(), troubled);
    }

    private void updateImportance(List<Candidate> candidates) {
        Map<String, Candidate> byName = new HashMap<>();
        candidates.forEach(each -> byName.put(each.status().name(), each));
        recorded.forEach((name, each) -> {
            Candidate now = byName.get(name);
            each.updateImportance(now == null ? 0 : now.attempts(), now != null && now.troubled());
        });
    }

    private void record(Candidate candidate) {
        String name = candidate.status().name();
        if (recorded.containsKey(name)) {
            return;
        }
        if (recorded.size() >= maxDestinations) {
            Map.Entry<String, RecordedDestination> least = recorded.entrySet().stream()
                    .min(Comparator.comparing((Map.Entry<String, RecordedDestination> each) ->
                                    each.getValue().isTroubled())
                            .thenComparing(each -> each.getValue().decayedRate()))
                    .orElseThrow();
            if (!isClearlyMoreImportant(candidate, least.getValue())) {
                return;
            }
            recorded.remove(least.getKey());
        }
        RecordedDestination added = new RecordedDestination(capacity);
        added.updateImportance(candidate.attempts(), candidate.troubled());
        recorded.put(name, added);
    }

    private static boolean isClearlyMoreImportant(Candidate candidate, RecordedDestination recorded) {
        return candidate.troubled() == recorded.isTroubled()
                ? candidate.attempts() > CLEARLY_BUSIER * recorded.decayedRate()
                : candidate.troubled();
    }

    /** Returns the samples of a destination; none if it is not recorded. */
    Samples samples(String name) {
        RecordedDestination destination = recorded.get(name);
        return destination == null ? Samples.none(DestinationColumn.values().length) : destination.samples();
    }
}
