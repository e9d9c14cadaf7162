package io.iocluster.pipeline.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.policy.DestinationMatcher;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamName;
import io.iocluster.thread.NodeClock;
import io.iocluster.upstream.ConsulUpstreamSettings;
import io.iocluster.upstream.UpstreamBalancer;
import io.iocluster.upstream.UpstreamSettings;
import io.iocluster.upstream.UpstreamStatus;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The balancers of all destinations with upstreams. All workers share them. Thread-safe. */
public final class UpstreamBalancers {

    private final NodeClock clock;
    private final RandomGenerator random;
    private final Supplier<EgressPolicy> policy;

    /** The instances of each Consul service, as reported last. */
    @GuardedBy("this")
    private final Map<ConsulUpstreamSettings, List<UpstreamAddress>> services = new HashMap<>();

    /** Replaced as a whole. */
    private volatile Snapshot current = new Snapshot(null, Map.of());

    /**
     * The balancers under one configuration. Immutable.
     *
     * @param matcher null if no destination has upstreams
     */
    record Snapshot(DestinationMatcher matcher, Map<String, BalancedDestination> byName) {

        /** Returns whether no destination has upstreams. */
        boolean isEmpty() {
            return byName.isEmpty();
        }

        /**
         * Returns the destination of the host; null if it has no upstreams.
         *
         * @param host in canonical spelling
         */
        BalancedDestination find(String host) {
            return matcher.find(host).map(entry -> byName.get(entry.name())).orElse(null);
        }
    }

    /**
     * A destination with upstreams.
     *
     * @param conclusiveTimeoutNanos an attempt with a shorter timeout does not count as failed when it times out, because its sender chose
     *     the timeout
     * @param discovered the upstreams if DNS or Consul names them; null if they are configured
     * @param lookup finds the upstreams in DNS; null if they are found elsewhere
     */
    record BalancedDestination(
            UpstreamSettings settings,
            UpstreamBalancer balancer,
            DiscoveredUpstreams discovered,
            UpstreamLookup lookup,
            long conclusiveTimeoutNanos) {}

    /**
     * Creates no balancer before {@link #applySettings}.
     *
     * @param policy says which upstreams DNS and Consul may name
     */
    public UpstreamBalancers(NodeClock clock, RandomGenerator random, Supplier<EgressPolicy> policy) {
        this.random = random;
        this.clock = clock;
        this.policy = policy;
    }

    /** Applies new settings, after the egress policy. A destination that still has upstreams keeps the state of those that stay. */
    public synchronized void applySettings(List<DestinationSettings> destinations, DestinationPolicy defaults) {
        Map<String, BalancedDestination> next = new HashMap<>();
        Set<ConsulUpstreamSettings> used = new HashSet<>();
        for (DestinationSettings each : destinations) {
            UpstreamSettings settings = each.policy().upstreams();
            if (settings.isEnabled()) {
                next.put(each.name(), balanced(each));
                used.add(settings.consul());
            }
        }
        services.keySet().retainAll(used);
        current =
                new Snapshot(next.isEmpty() ? null : new DestinationMatcher(destinations, defaults), Map.copyOf(next));
    }

    /**
     * Replaces the upstreams of all destinations that use a Consul service. They are remembered while the configuration contains the
     * service.
     */
    public synchronized void setService(ConsulUpstreamSettings service, List<UpstreamAddress> instances) {
        services.put(service, List.copyOf(instances));
        for (BalancedDestination each : current.byName().values()) {
            if (each.settings().consul().equals(service)) {
                each.discovered().set(instances);
            }
        }
    }

    @GuardedBy("this")
    private BalancedDestination balanced(DestinationSettings destination) {
        UpstreamSettings settings = destination.policy().upstreams();
        long conclusiveTimeoutNanos = destination.policy().timeout().toNanos() / 2;
        BalancedDestination known = current.byName().get(destination.name());
        if (known != null && known.settings().hasSameSource(settings)) {
            known.balancer().applySettings(settings);
            if (settings.isStatic()) {
                known.balancer().setUpstreams(settings.upstreams());
            } else {
                known.discovered().applySettings(settings);
            }
            return new BalancedDestination(
                    settings, known.balancer(), known.discovered(), known.lookup(), conclusiveTimeoutNanos);
        }
        // A new balancer, because a lookup of the former name may end later, and changes the former balancer.
        UpstreamBalancer balancer = new UpstreamBalancer(destination.name(), settings, clock::nanos, random);
        if (settings.isStatic()) {
            balancer.setUpstreams(settings.upstreams());
            return new BalancedDestination(settings, balancer, null, null, conclusiveTimeoutNanos);
        }
        DiscoveredUpstreams discovered = new DiscoveredUpstreams(destination.name(), settings, balancer, policy);
        discovered.set(services.getOrDefault(settings.consul(), List.of()));
        UpstreamName name = settings.lookupName();
        UpstreamLookup lookup = name == null ? null : new UpstreamLookup(name, discovered::set, clock);
        return new BalancedDestination(settings, balancer, discovered, lookup, conclusiveTimeoutNanos);
    }

    /** Returns the balancers of the current configuration. */
    Snapshot current() {
        return current;
    }

    /** Returns a snapshot of each upstream, ordered by destination. */
    public List<UpstreamStatus> status() {
        return current.byName().values().stream()
                .flatMap(each -> each.balancer().status().stream())
                .sorted(Comparator.comparing(UpstreamStatus::destination))
                .toList();
    }
}
