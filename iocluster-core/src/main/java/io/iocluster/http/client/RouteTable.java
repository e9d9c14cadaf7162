package io.iocluster.http.client;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Origin;
import io.iocluster.egress.Rejection;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.connect.ConnectionProfile;
import io.iocluster.http.connect.DialTarget;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;

/**
 * Caches what is the same for all calls to one origin under one egress policy, including the policy's decision. A new
 * policy gets new pool keys, so that no connection made under the old policy is used again. Confined to one event loop.
 */
final class RouteTable {

    private static final int MAX_ROUTES = 1_024;

    private final Supplier<EgressPolicy> policy;
    private final ProfileSelector profiles;
    private final Map<Origin, TargetRoute> routes = new HashMap<>();
    private final Map<PoolKey, TargetRoute> upstreamRoutes = new HashMap<>();
    private EgressPolicy currentPolicy;
    private int generation;

    RouteTable(Supplier<EgressPolicy> policy, ProfileSelector profiles) {
        this.policy = policy;
        this.profiles = profiles;
        this.currentPolicy = policy.get();
    }

    /**
     * Route to one origin, or to one of its upstreams.
     *
     * @param target the host and port that connections go to
     * @param authority the value of the Host header
     * @param absoluteUrl scheme, host and port, as a proxy for HTTP gets them
     * @param rejection why the origin may not be called, or null
     */
    record TargetRoute(DialTarget target, String authority, String absoluteUrl, Rejection rejection) {

        Origin origin() {
            return target.origin();
        }
    }

    /** Selects the connection profile for a host. */
    interface ProfileSelector {

        ConnectionProfile profileFor(String host) throws SSLException;
    }

    /**
     * Key under which connections are pooled.
     *
     * @param upstream the host and port that connections go to; null for those of the origin
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
        TargetRoute created = create(new PoolKey(origin, generation, null), origin.host(), origin.port());
        routes.put(origin, created);
        return created;
    }

    /**
     * Returns the route to an upstream of an origin. The policy decides about the origin here, and about each address of the upstream
     * when a connection to it is opened.
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
        TargetRoute created = create(key, upstream.host(), upstream.port());
        upstreamRoutes.put(key, created);
        return created;
    }

    private TargetRoute create(PoolKey key, String host, int port) throws SSLException {
        Origin origin = key.origin();
        return new TargetRoute(
                new DialTarget(key, origin, host, port, profiles.profileFor(origin.host())),
                origin.authority(),
                origin.scheme() + "://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port,
                currentPolicy.check(origin).orElse(null));
    }

    /** Returns whether a connection with this key was made under the current policy. */
    boolean isCurrent(Object key) {
        return ((PoolKey) key).generation() == generation;
    }
}
