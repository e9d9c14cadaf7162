package io.iocluster.http.client;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Origin;
import io.iocluster.egress.Rejection;
import io.iocluster.http.UpstreamAddress;
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
    private final Map<PoolKey, TargetRoute> upstreamRoutes = new HashMap<>();
    private EgressPolicy currentPolicy;
    private int generation;

    RouteTable(Supplier<EgressPolicy> policy, ClientSelector clients) {
        this.policy = policy;
        this.clients = clients;
        this.currentPolicy = policy.get();
    }

    /**
     * Route to one origin, or to one of its upstreams.
     *
     * @param host where the client connects to, as it appears in a URL
     * @param port where the client connects to
     * @param tlsName the host whose certificate the client expects, if it is not {@code host}; else null
     * @param authority the value of the Host header
     * @param rejection why the origin may not be called, or null
     */
    record TargetRoute(
            Origin origin,
            String host,
            int port,
            String tlsName,
            String authority,
            ProfileClient client,
            PoolKey poolKey,
            ChannelPoolPartitioning partitioning,
            Rejection rejection) {}

    /** Selects the client for a host. */
    interface ClientSelector {

        ProfileClient clientFor(String host) throws SSLException;
    }

    /**
     * Key under which connections are pooled.
     *
     * @param upstream where the connections lead to; null for the origin's own host and port
     */
    record PoolKey(Origin origin, int generation, UpstreamAddress upstream) {}

    /** Applies the current policy. Returns true if it is a new one. */
    boolean refreshPolicy() {
        EgressPolicy now = policy.get();
        if (now == currentPolicy) {
            return false;
        }
        currentPolicy = now;
        generation++;
        routes.clear();
        upstreamRoutes.clear();
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
        TargetRoute created = create(new PoolKey(origin, generation, null), origin.hostInUrl(), origin.port(), null);
        routes.put(origin, created);
        return created;
    }

    /**
     * Returns the route to an upstream of an origin. The policy decides about the origin here, and about each address of the upstream
     * when the client resolves it.
     *
     * @throws SSLException if the TLS files of the origin's profile are not usable any more
     */
    TargetRoute routeTo(Origin origin, UpstreamAddress upstream) throws SSLException {
        PoolKey key = new PoolKey(origin, generation, upstream);
        TargetRoute known = upstreamRoutes.get(key);
        if (known != null) {
            return known;
        }
        if (upstreamRoutes.size() >= MAX_ROUTES) {
            upstreamRoutes.clear();
        }
        // The client takes the name for SNI and for the certificate check from here, because its URL has the upstream's
        // host.
        String tlsName = origin.isSecure() ? origin.hostInUrl() : null;
        TargetRoute created = create(key, upstream.hostInUrl(), upstream.port(), tlsName);
        upstreamRoutes.put(key, created);
        return created;
    }

    private TargetRoute create(PoolKey key, String host, int port, String tlsName) throws SSLException {
        Origin origin = key.origin();
        return new TargetRoute(
                origin,
                host,
                port,
                tlsName,
                origin.authority(),
                clients.clientFor(origin.host()),
                key,
                (uri, virtualHost, proxy) -> key,
                currentPolicy.check(origin).orElse(null));
    }

    /** Returns whether a connection with this key was made under the current policy. */
    boolean isCurrent(PoolKey key) {
        return key.generation() == generation;
    }
}
