package io.iocluster.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.limit.BreakerChange;
import io.iocluster.destination.operator.OperatorAction;
import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.destination.policy.DestinationMatcher;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.Origin;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the destination of each call. Thread-safe.
 *
 * <p>There is one destination for each configured entry, one for each other host and port, and one called {@code other}
 * for the hosts beyond the limit. A destination without an entry is forgotten when it was not called for a minute and
 * has no state worth keeping.
 *
 * @param <C> the type of the calls
 */
public final class DestinationRegistry<C extends PendingCall> {

    private static final Logger LOG = LoggerFactory.getLogger(DestinationRegistry.class);
    private static final String OTHER = "other";
    /** A destination without calls for this long is forgotten if it has no state worth keeping. */
    static final long IDLE_EXPIRY_NANOS = Duration.ofMinutes(1).toNanos();

    /** A destination is kept for this long after it was found for a call, because the call may not have been offered yet. */
    private static final long FOUND_NANOS = Duration.ofSeconds(10).toNanos();

    /** A destination counts as recently called for this long. */
    private static final long RECENT_NANOS = Duration.ofSeconds(10).toNanos();
    /** Interval between two calculations of the guaranteed slots. */
    private static final long ALLOCATION_INTERVAL_NANOS = Duration.ofMillis(100).toNanos();

    private final Map<String, Known<C>> known = new ConcurrentHashMap<>();
    private final SharedCapacity<C> shared;
    private final NodeClock clock;
    private final RandomGenerator random;
    private final Destination<C> other;

    @GuardedBy("this")
    private DestinationMatcher matcher;

    @GuardedBy("this")
    private Map<String, Destination<C>> configured;

    @GuardedBy("this")
    private final SlotAllocator<C> allocator;

    @GuardedBy("this")
    private int unconfiguredPercent;

    @GuardedBy("this")
    private int maxDestinations;

    @GuardedBy("this")
    private long allocatedNanos;

    @GuardedBy("this")
    private boolean closed;

    /**
     * The destination of a host and port.
     *
     * @param own whether the destination has only this host and port, because no entry matches the host
     */
    private record Known<C extends PendingCall>(String host, boolean own, Destination<C> destination) {}

    /**
     * Creates a registry.
     *
     * @param entries the configured destinations
     * @param defaultPolicy the policy of all others
     * @param maxDestinations maximum number of hosts and ports with their own entry in the registry
     * @param unconfiguredPercent maximum percentage of the slots that destinations without an entry hold together while
     *     there are entries
     * @param node counts what the calls hold on the node
     * @param workers hands a granted call to a worker; called without a lock
     * @param addresses returns an address of a host, or null if none is known
     * @param random the jitter of retries
     */
    public DestinationRegistry(
            List<DestinationSettings> entries,
            DestinationPolicy defaultPolicy,
            int maxDestinations,
            int unconfiguredPercent,
            NodeCapacity node,
            Consumer<C> workers,
            UnaryOperator<String> addresses,
            NodeClock clock,
            RandomGenerator random) {
        this.unconfiguredPercent = unconfiguredPercent;
        this.shared = new SharedCapacity<>(node, workers);
        this.clock = clock;
        this.random = random;
        this.maxDestinations = maxDestinations;
        this.other = new Destination<>(
                new DestinationIdentity(OTHER, null, false),
                defaultPolicy.forIndependentHosts(),
                shared,
                clock,
                random);
        this.matcher = new DestinationMatcher(entries, defaultPolicy);
        this.configured = byName(entries, Map.of());
        this.allocator = new SlotAllocator<>(shared, addresses);
        limitUnconfigured();
        this.allocatedNanos = clock.nanos() - ALLOCATION_INTERVAL_NANOS;
    }

    /** Returns the destination of calls to this origin. */
    public Destination<C> destinationFor(Origin origin) {
        Known<C> found = known.get(origin.destination());
        if (found != null) {
            found.destination().markFound();
            // It may have been forgotten just before it was marked.
            if (known.get(origin.destination()) == found) {
                return found.destination();
            }
        }
        return findOrCreate(origin);
    }

    private synchronized Destination<C> findOrCreate(Origin origin) {
        Known<C> found = known.get(origin.destination());
        if (found != null) {
            found.destination().markFound();
            return found.destination();
        }
        Destination<C> entry = configured(origin.host());
        if (known.size() >= maxDestinations) {
            return entry != null ? entry : other;
        }
        Destination<C> destination = entry != null
                ? entry
                : new Destination<>(
                        new DestinationIdentity(origin.destination(), origin.host(), false),
                        matcher.defaultPolicy(),
                        shared,
                        clock,
                        random);
        if (entry == null) {
            destination.joinGroup(allocator.unansweredGroup());
        }
        known.put(origin.destination(), new Known<>(origin.host(), entry == null, destination));
        if (closed) {
            destination.close();
        }
        return destination;
    }

    /** Returns the destination of the entry that matches this host, or null. */
    @GuardedBy("this")
    private Destination<C> configured(String host) {
        DestinationSettings entry = matcher.find(host).orElse(null);
        return entry == null ? null : configured.get(entry.name());
    }

    /** Applies new policies. A destination with the same name, or the same host and port, keeps its state. */
    public synchronized void updatePolicies(List<DestinationSettings> entries, DestinationPolicy defaultPolicy) {
        DestinationMatcher next = new DestinationMatcher(entries, defaultPolicy);
        configured = byName(entries, configured);
        matcher = next;
        other.updatePolicy(defaultPolicy.forIndependentHosts());
        limitUnconfigured();
        known.values().removeIf(each -> !each.own() || next.find(each.host()).isPresent());
        known.values().forEach(each -> each.destination().updatePolicy(defaultPolicy));
        warnOfLostOverrides();
    }

    /** Sets this node's share of the limits for the cluster. While it is unknown, destinations with such a limit start no attempt. */
    public synchronized void setClusterShare(ClusterShare share) {
        shared.clusterShare = share;
        allDestinations().forEach(Destination::updateClusterShare);
    }

    /** Ends the overrides of destinations that were renamed or removed, with a warning for each. */
    @GuardedBy("this")
    private void warnOfLostOverrides() {
        List<Destination<C>> left = allDestinations();
        for (Destination<C> destination : shared.overridden) {
            if (!left.contains(destination)) {
                destination.apply(new OperatorAction.Resume());
                destination.apply(new OperatorAction.RemoveLimit());
                shared.overridden.remove(destination);
                LOG.warn(
                        "Operator action ended; the configuration no longer has its destination destination={}",
                        destination.name());
            }
        }
    }

    /**
     * Applies an operator's action to the destination of this name.
     *
     * @return its new status; empty if no destination has this name
     */
    public synchronized Optional<DestinationStatus> apply(String name, OperatorAction action) {
        for (Destination<C> destination : allDestinations()) {
            if (destination.name().equals(name)) {
                destination.apply(action);
                return Optional.of(destination.status());
            }
        }
        return Optional.empty();
    }

    /** Sets the maximum number of known hosts and ports. Those already known stay while they are called. */
    public synchronized void setMaxDestinations(int max) {
        maxDestinations = max;
    }

    /**
     * Sets the maximum percentage of slots that destinations without an entry hold together while there are entries.
     */
    public synchronized void limitUnconfigured(int percent) {
        unconfiguredPercent = percent;
        limitUnconfigured();
    }

    @GuardedBy("this")
    private void limitUnconfigured() {
        shared.unconfiguredPercent = configured.isEmpty() ? 100 : unconfiguredPercent;
    }

    private Map<String, Destination<C>> byName(List<DestinationSettings> entries, Map<String, Destination<C>> before) {
        Map<String, Destination<C>> byName = new LinkedHashMap<>();
        for (DestinationSettings entry : entries) {
            Destination<C> kept = before.get(entry.name());
            if (kept == null) {
                kept = new Destination<>(
                        new DestinationIdentity(entry.name(), null, true), entry.policy(), shared, clock, random);
            } else {
                kept.updatePolicy(entry.policy());
            }
            byName.put(entry.name(), kept);
        }
        return byName;
    }

    /**
     * Removes expired calls from all queues, hands calls that may start now to workers, ends the overrides of operators
     * whose time is over, and logs the changes of breakers. One thread calls it every few milliseconds.
     *
     * @param expired receives each call whose deadline passed while it waited
     */
    public void tick(Consumer<C> expired) {
        allocateSlots();
        for (Destination<C> destination : shared.overridden) {
            for (String ended : destination.removeEndedOverrides()) {
                LOG.info("Operator action expired action={} destination={}", ended, destination.name());
            }
        }
        for (Destination<C> destination : shared.withQueue) {
            // Its entry may have been removed, and a retry may have queued it again since.
            destination.updateClusterShare();
            destination.expire(clock.nanos()).forEach(expired);
            destination.dispatchQueued();
        }
        shared.dispatchOthers();
        for (BreakerChange change = shared.breakerChanges.poll(); change != null; ) {
            change.log();
            change = shared.breakerChanges.poll();
        }
    }

    private synchronized void allocateSlots() {
        long now = clock.nanos();
        if (now - allocatedNanos < ALLOCATION_INTERVAL_NANOS) {
            return;
        }
        long nanosSinceLast = now - allocatedNanos;
        allocatedNanos = now;
        List<Destination<C>> called = new ArrayList<>();
        Set<Destination<C>> starved = new HashSet<>();
        long fastestNanos = Long.MAX_VALUE;
        for (Destination<C> destination : allDestinations()) {
            if (destination.isCalledSince(now - RECENT_NANOS) || destination.holdsCalls()) {
                called.add(destination);
                long answerNanos = destination.starvedAnswerNanos();
                if (answerNanos >= 0) {
                    starved.add(destination);
                    fastestNanos = Math.min(fastestNanos, answerNanos);
                }
            }
        }
        shared.setRecentlyCalled(called.isEmpty() ? null : called.get(0), called.size() > 1);
        shared.fastestStarvedNanos = starved.isEmpty() ? 0 : fastestNanos;
        shared.starved = starved;
        allocator.allocate(called, now, nanosSinceLast);
        forgetIdle(now);
    }

    @GuardedBy("this")
    private void forgetIdle(long now) {
        for (Map.Entry<String, Known<C>> each : known.entrySet()) {
            Destination<C> destination = each.getValue().destination();
            if (isForgettable(destination, now) && known.remove(each.getKey(), each.getValue())) {
                // A call that found it before the removal has marked it, or will see that it is missing.
                if (!isForgettable(destination, now)) {
                    known.put(each.getKey(), each.getValue());
                }
            }
        }
    }

    private static boolean isForgettable(Destination<?> destination, long now) {
        return !destination.isCalledSince(now - IDLE_EXPIRY_NANOS)
                && !destination.isFoundSince(now - FOUND_NANOS)
                && destination.isIdle(now);
    }

    /** Removes all queued calls and returns them. No call is queued or started afterwards. */
    public synchronized List<C> close() {
        closed = true;
        List<C> left = new ArrayList<>();
        allWithCalls().forEach(destination -> left.addAll(destination.close()));
        return left;
    }

    /** Returns a snapshot of each destination that is configured, was called recently, or has waiting calls. */
    public List<DestinationStatus> status() {
        List<Destination<C>> all;
        synchronized (this) {
            all = allWithCalls();
        }
        // Not under the lock, because the first call to each host waits for it.
        return all.stream().map(Destination::status).toList();
    }

    /** Returns each destination, including removed ones for which calls still wait. */
    @GuardedBy("this")
    private List<Destination<C>> allWithCalls() {
        List<Destination<C>> all = allDestinations();
        for (Destination<C> each : shared.withQueue) {
            if (!isCurrent(each)) {
                all.add(each);
            }
        }
        return all;
    }

    /** Returns each destination once, in a new list. */
    @GuardedBy("this")
    private List<Destination<C>> allDestinations() {
        List<Destination<C>> all = new ArrayList<>(configured.values());
        for (Known<C> each : known.values()) {
            if (each.own()) {
                all.add(each.destination());
            }
        }
        all.add(other);
        return all;
    }

    /** Returns whether the destination is one of {@link #allDestinations}: its entry was not removed, and it was not forgotten. */
    @GuardedBy("this")
    private boolean isCurrent(Destination<C> destination) {
        Known<C> found = known.get(destination.name());
        return destination == other
                || destination == configured.get(destination.name())
                || (found != null && found.own() && found.destination() == destination);
    }
}
