package io.iocluster.pipeline.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.PortRanges;
import io.iocluster.egress.Rejection;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.upstream.UpstreamBalancer;
import io.iocluster.upstream.UpstreamSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The upstreams that DNS or Consul named for a destination. The balancer gets those that the egress policy allows. If the policy allows
 * none of a new list, the balancer keeps those of the old list that the policy still allows. Thread-safe.
 */
final class DiscoveredUpstreams {

    private static final Logger LOG = LoggerFactory.getLogger(DiscoveredUpstreams.class);

    private final String destination;
    private final UpstreamBalancer balancer;
    private final Supplier<EgressPolicy> policy;

    @GuardedBy("this")
    private PortRanges ports;

    @GuardedBy("this")
    private List<UpstreamAddress> found = List.of();

    /** The upstreams that the balancer has. */
    @GuardedBy("this")
    private List<UpstreamAddress> used = List.of();

    /** The forbidden upstreams that the last log line was about. */
    @GuardedBy("this")
    private Set<UpstreamAddress> warnedOf = Set.of();

    /**
     * Creates an empty list.
     *
     * @param destination the destination's name, for logs
     * @param policy returns the current egress policy
     */
    DiscoveredUpstreams(
            String destination, UpstreamSettings settings, UpstreamBalancer balancer, Supplier<EgressPolicy> policy) {
        this.destination = destination;
        this.ports = settings.allowedPorts();
        this.balancer = balancer;
        this.policy = policy;
    }

    /** Replaces the upstreams. Cheap if they are the same, because lookups return the same ones for hours. */
    synchronized void set(List<UpstreamAddress> next) {
        if (!next.equals(found)) {
            found = List.copyOf(next);
            apply();
        }
    }

    /** Applies new settings, and a new egress policy. */
    synchronized void applySettings(UpstreamSettings settings) {
        ports = settings.allowedPorts();
        apply();
    }

    @GuardedBy("this")
    private void apply() {
        Map<UpstreamAddress, Rejection> forbidden = new LinkedHashMap<>();
        for (UpstreamAddress each : found) {
            check(each).ifPresent(rejection -> forbidden.put(each, rejection));
        }
        logIfChanged(forbidden);
        List<UpstreamAddress> candidates = new ArrayList<>(found);
        candidates.removeAll(forbidden.keySet());
        if (candidates.isEmpty()) {
            for (UpstreamAddress each : used) {
                if (check(each).isEmpty()) {
                    candidates.add(each);
                }
            }
        }
        used = candidates;
        balancer.setUpstreams(used);
    }

    @GuardedBy("this")
    private Optional<Rejection> check(UpstreamAddress upstream) {
        return policy.get().checkUpstream(upstream.host(), upstream.port(), ports);
    }

    @GuardedBy("this")
    private void logIfChanged(Map<UpstreamAddress, Rejection> forbidden) {
        if (!forbidden.isEmpty() && !forbidden.keySet().equals(warnedOf)) {
            UpstreamAddress first = forbidden.keySet().iterator().next();
            LOG.warn(
                    "Upstreams that the egress policy forbids get no calls destination={} upstreams={} first={} problem=\"{}\"",
                    destination,
                    forbidden.size(),
                    first,
                    forbidden.get(first).message());
        }
        warnedOf = forbidden.keySet();
    }
}
