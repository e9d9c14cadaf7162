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
 * What is the same for all calls to one origin under one policy, the policy's own verdict included. With a new policy come new
 * keys, so that no connection made under the old one is used again: whom it leads to was judged by rules that are gone.
 * Confined to one event loop.
 */
final class RouteTable {

    private static final int MOST = 1_024;

    private final Supplier<EgressPolicy> policy;
    private final ClientSelector routes;
    private final Map<Origin, TargetRoute> places = new HashMap<>();
    private EgressPolicy inForce;
    private int generation;

    RouteTable(Supplier<EgressPolicy> policy, ClientSelector routes) {
        this.policy = policy;
        this.routes = routes;
        this.inForce = policy.get();
    }

    /**
     * One origin.
     *
     * @param refusal why it may not be called, or null
     */
    record TargetRoute(
            Origin origin,
            String host,
            String authority,
            ProfileClient client,
            PoolKey poolKey,
            ChannelPoolPartitioning partitioning,
            Rejection rejection) {}

    /** Says which way calls to a host take. */
    interface ClientSelector {

        ProfileClient clientFor(String host) throws SSLException;
    }

    /** What connections are pooled under. */
    record PoolKey(Origin origin, int generation) {}

    /** Takes up the policy that holds now; true if that is another one. */
    boolean refreshPolicy() {
        EgressPolicy now = policy.get();
        if (now == inForce) {
            return false;
        }
        inForce = now;
        generation++;
        places.clear();
        return true;
    }

    /**
     * What is the same for all calls to this origin.
     *
     * @throws SSLException if the files of its profile cannot be used any more
     */
    TargetRoute routeTo(Origin origin) throws SSLException {
        TargetRoute known = places.get(origin);
        if (known != null) {
            return known;
        }
        if (places.size() >= MOST) {
            places.clear();
        }
        PoolKey key = new PoolKey(origin, generation);
        TargetRoute place = new TargetRoute(
                origin,
                origin.hostInUrl(),
                origin.authority(),
                routes.clientFor(origin.host()),
                key,
                (uri, virtualHost, proxy) -> key,
                inForce.check(origin).orElse(null));
        places.put(origin, place);
        return place;
    }

    /** Whether a connection pooled under this key was made under the policy that holds. */
    boolean isCurrent(PoolKey key) {
        return key.generation() == generation;
    }
}
