package io.iocluster.http;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Origin;
import io.iocluster.egress.Refusal;
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
final class Places {

    private static final int MOST = 1_024;

    private final Supplier<EgressPolicy> policy;
    private final Routes routes;
    private final Map<Origin, Place> places = new HashMap<>();
    private EgressPolicy inForce;
    private int generation;

    Places(Supplier<EgressPolicy> policy, Routes routes) {
        this.policy = policy;
        this.routes = routes;
        this.inForce = policy.get();
    }

    /**
     * One origin.
     *
     * @param refusal why it may not be called, or null
     */
    record Place(
            Origin origin,
            String host,
            String authority,
            Route route,
            PoolKey key,
            ChannelPoolPartitioning pool,
            Refusal refusal) {}

    /** Says which way calls to a host take. */
    interface Routes {

        Route to(String host) throws SSLException;
    }

    /** What connections are pooled under. */
    record PoolKey(Origin origin, int generation) {}

    /** Takes up the policy that holds now; true if that is another one. */
    boolean renew() {
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
    Place of(Origin origin) throws SSLException {
        Place known = places.get(origin);
        if (known != null) {
            return known;
        }
        if (places.size() >= MOST) {
            places.clear();
        }
        PoolKey key = new PoolKey(origin, generation);
        Place place = new Place(
                origin,
                origin.hostInUrl(),
                origin.authority(),
                routes.to(origin.host()),
                key,
                (uri, virtualHost, proxy) -> key,
                inForce.refusal(origin).orElse(null));
        places.put(origin, place);
        return place;
    }

    /** Whether a connection pooled under this key was made under the policy that holds. */
    boolean isCurrent(PoolKey key) {
        return key.generation() == generation;
    }
}
