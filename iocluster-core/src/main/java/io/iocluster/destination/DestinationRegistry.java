package io.iocluster.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.policy.DestinationMatcher;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.Origin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * Every destination that is called: one for each configured entry, one for each other host and port, and one for all that are
 * beyond the bound. Those that nobody called for a minute, and that have nothing to remember, make room. For any thread.
 *
 * @param <C> the calls
 */
public final class DestinationRegistry<C extends PendingCall> {

    private static final String OTHER = "other";
    /** One that nobody called for so long is forgotten, if it has nothing to remember. */
    static final long IDLE_EXPIRY_NANOS = Duration.ofMinutes(1).toNanos();

    private static final long LATE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long SURVEY_NANOS = Duration.ofMillis(100).toNanos();

    private final Map<String, Known<C>> known = new ConcurrentHashMap<>();
    private final SharedCapacity<C> shared;
    private final LongSupplier clock;
    private final Destination<C> other;

    @GuardedBy("this")
    private DestinationMatcher table;

    @GuardedBy("this")
    private Map<String, Destination<C>> configured;

    @GuardedBy("this")
    private final SlotAllocator<C> plan;

    @GuardedBy("this")
    private int unconfiguredPercent;

    @GuardedBy("this")
    private int most;

    @GuardedBy("this")
    private long surveyedNanos;

    @GuardedBy("this")
    private boolean closed;

    /** A destination by a host and port of it. */
    private record Known<C extends PendingCall>(String host, boolean own, Destination<C> destination) {}

    /**
     * All destinations.
     *
     * @param entries the configured ones
     * @param others what holds for any other
     * @param most hosts and ports that are told apart
     * @param unconfiguredPercent most slots, in percent, that those without an entry hold together while there are entries
     * @param node what the calls hold on the node
     * @param workers hands a granted call to a worker; called without a lock
     * @param addresses an address of a host, or null if none is known
     * @param nanos the node's clock that never jumps
     */
    public DestinationRegistry(
            List<DestinationSettings> entries,
            DestinationPolicy others,
            int most,
            int unconfiguredPercent,
            NodeCapacity node,
            Consumer<C> workers,
            UnaryOperator<String> addresses,
            LongSupplier nanos) {
        this.unconfiguredPercent = unconfiguredPercent;
        this.shared = new SharedCapacity<>(node, workers);
        this.clock = nanos;
        this.most = most;
        this.other = new Destination<>(OTHER, null, false, others.forIndependentHosts(), shared, nanos);
        this.table = new DestinationMatcher(entries, others);
        this.configured = named(entries, Map.of());
        this.plan = new SlotAllocator<>(shared, addresses);
        limitUnconfigured();
        this.surveyedNanos = nanos.getAsLong() - SURVEY_NANOS;
    }

    /** Whom a call to this place is made to. */
    public Destination<C> destinationFor(Origin origin) {
        Known<C> found = known.get(origin.destination());
        return found != null ? found.destination() : meet(origin);
    }

    private synchronized Destination<C> meet(Origin origin) {
        Known<C> found = known.get(origin.destination());
        if (found != null) {
            return found.destination();
        }
        Destination<C> entry = configured(origin.host());
        if (known.size() >= most) {
            return entry != null ? entry : other;
        }
        Destination<C> destination = entry != null
                ? entry
                : new Destination<>(origin.destination(), origin.host(), false, table.defaultPolicy(), shared, clock);
        if (entry == null) {
            destination.joinGroup(plan.unansweredGroup());
        }
        known.put(origin.destination(), new Known<>(origin.host(), entry == null, destination));
        if (closed) {
            destination.close();
        }
        return destination;
    }

    /** The entry's that means this host, or null. */
    @GuardedBy("this")
    private Destination<C> configured(String host) {
        DestinationSettings entry = table.find(host).orElse(null);
        return entry == null ? null : configured.get(entry.name());
    }

    /** Puts other policies in force. What goes on by the same name, or by the same host and port, keeps its state. */
    public synchronized void updatePolicies(List<DestinationSettings> entries, DestinationPolicy others) {
        DestinationMatcher next = new DestinationMatcher(entries, others);
        configured = named(entries, configured);
        table = next;
        other.updatePolicy(others.forIndependentHosts());
        limitUnconfigured();
        known.values().removeIf(place -> !place.own() || next.find(place.host()).isPresent());
        known.values().forEach(place -> place.destination().updatePolicy(others));
    }

    /** Tells at most so many hosts and ports apart; those that are told apart already stay for as long as they are called. */
    public synchronized void setMaxDestinations(int mostPlaces) {
        most = mostPlaces;
    }

    /** Sets the most slots, in percent, that destinations without an entry hold together while there are entries. */
    public synchronized void limitUnconfigured(int percent) {
        unconfiguredPercent = percent;
        limitUnconfigured();
    }

    @GuardedBy("this")
    private void limitUnconfigured() {
        shared.unconfiguredPercent = configured.isEmpty() ? 100 : unconfiguredPercent;
    }

    private Map<String, Destination<C>> named(List<DestinationSettings> entries, Map<String, Destination<C>> before) {
        Map<String, Destination<C>> named = new LinkedHashMap<>();
        for (DestinationSettings entry : entries) {
            Destination<C> kept = before.get(entry.name());
            if (kept == null) {
                kept = new Destination<>(entry.name(), null, true, entry.policy(), shared, clock);
            } else {
                kept.updatePolicy(entry.policy());
            }
            named.put(entry.name(), kept);
        }
        return named;
    }

    /**
     * Removes expired calls from all queues and hands calls that may start now to workers. One thread calls it every few milliseconds.
     *
     * @param expired gets each call whose deadline passed while it waited
     */
    public void tick(Consumer<C> expired) {
        survey();
        for (Destination<C> destination : shared.withQueue) {
            destination.expire(clock.getAsLong()).forEach(expired);
            destination.dispatchWaiting();
        }
    }

    private synchronized void survey() {
        long now = clock.getAsLong();
        if (now - surveyedNanos < SURVEY_NANOS) {
            return;
        }
        long since = now - surveyedNanos;
        surveyedNanos = now;
        List<Destination<C>> called = new ArrayList<>();
        Set<Destination<C>> hungry = new HashSet<>();
        for (Destination<C> destination : everyone()) {
            if (destination.isCalledSince(now - LATE_NANOS)) {
                called.add(destination);
                if (!destination.hasQueuedCalls()) {
                    hungry.add(destination);
                }
            }
        }
        shared.setRecentlyCalled(called.isEmpty() ? null : called.get(0), called.size() > 1);
        shared.hungry = hungry;
        plan.allocate(called, now, since);
        known.values()
                .removeIf(place -> !place.destination().isCalledSince(now - IDLE_EXPIRY_NANOS)
                        && place.destination().isIdle(now));
    }

    /** Lets nothing wait and nothing begin any more. */
    public synchronized List<C> close() {
        closed = true;
        List<C> left = new ArrayList<>();
        Set<Destination<C>> all = new LinkedHashSet<>(everyone());
        all.addAll(shared.withQueue);
        all.forEach(destination -> left.addAll(destination.close()));
        return left;
    }

    /** Each as it stands: the configured ones, those that were called of late, and those that have a line. */
    public synchronized List<DestinationStatus> status() {
        Set<Destination<C>> all = new LinkedHashSet<>(everyone());
        all.addAll(shared.withQueue);
        return all.stream().map(Destination::status).toList();
    }

    @GuardedBy("this")
    private Collection<Destination<C>> everyone() {
        Set<Destination<C>> all = new LinkedHashSet<>(configured.values());
        known.values().forEach(place -> all.add(place.destination()));
        all.add(other);
        return all;
    }
}
