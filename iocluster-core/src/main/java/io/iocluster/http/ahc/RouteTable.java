package io.iocluster.http.ahc;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Origin;
import io.iocluster.egress.Rejection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.asynchttpclient.channel.ChannelPoolPartitioning;

/**
 * Caches what is the same for all calls to one origin under one egress policy, including the policy's decision. A new
 * policy gets new pool keys, so that no connection made under the old policy is used again. Confined to one event loop.
 */
final class RouteTable {

    private static final int MAX_ROUTES = 1_024;

    private final Supplier<EgressPolicy> policy;
    private final ClientSelector clients;
    private final Map<Origin, TargetRoute> routes = new HashMap<>();
    private EgressPolicy currentPolicy;
    private int generation;

    RouteTable(Supplier<EgressPolicy> policy, ClientSelector clients) {
        this.policy = policy;
        this.clients = clients;
        this.currentPolicy = policy.get();
    }

    /**
     * Route to one origin.
     *
     * @param rejection why the origin may not be called, or null
     */
    record TargetRoute(
            Origin origin,
            String host,
            String authority,
            ProfileClient client,
            PoolKey poolKey,
            ChannelPoolPartitioning partitioning,
            Rejection rejection) {}

    /** Selects the client for a host. */
    interface ClientSelector {

        ProfileClient clientFor(String host) throws SSLException;
    }

    /** Key under which connections are pooled. */
    record PoolKey(Origin origin, int generation) {}

    /** Applies the current policy. Returns true if it is a new one. */
    boolean refreshPolicy() {
        EgressPolicy now = policy.get();
        if (now == currentPolicy) {
            return false;
        }
        currentPolicy = now;
        generation++;
        routes.clear();
        return true;
    }

    /**
     * Returns the route to an origin.
     *
     * @throws SSLException if the TLS files of its profile are not usable any more
     */
    TargetRoute routeTo(Origin origin) throws SSLException {
        TargetRoute known = routes.get(origin);
        if (known != null) {
            return known;
        }
        if (routes.size() >= MAX_ROUTES) {
            routes.clear();
        }
        PoolKey key = new PoolKey(origin, generation);
        TargetRoute created = new TargetRoute(
                origin,
                origin.hostInUrl(),
                origin.authority(),
                clients.clientFor(origin.host()),
                key,
                (uri, virtualHost, proxy) -> key,
                currentPolicy.check(origin).orElse(null));
        routes.put(origin, created);
        return created;
    }

    /** Returns whether a connection with this key was made under the current policy. */
    boolean isCurrent(PoolKey key) {
        return key.generation() == generation;
    }
}
