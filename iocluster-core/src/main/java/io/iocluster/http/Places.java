package io.iocluster.http;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Origin;
import io.iocluster.egress.Refusal;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.asynchttpclient.channel.ChannelPoolPartitioning;

/**
 * What is the same for all calls to one origin under one policy, the policy's own verdict included. With a new policy come new
 * keys, so that no connection made under the old one is used again: whom it leads to was judged by rules that are gone.
 * Confined to one event loop.
 */
final class Places {

    private static final int MOST = 1_024;

    private final Supplier<EgressPolicy> policy;
    private final Map<Origin, Place> places = new HashMap<>();
    private EgressPolicy inForce;
    private int generation;

    Places(Supplier<EgressPolicy> policy) {
        this.policy = policy;
        this.inForce = policy.get();
    }

    /**
     * One origin.
     *
     * @param refusal why it may not be called, or null
     */
    record Place(String host, String authority, PoolKey key, ChannelPoolPartitioning pool, Refusal refusal) {}

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

    Place of(Origin origin) {
        Place known = places.get(origin);
        if (known != null) {
            return known;
        }
        if (places.size() >= MOST) {
            places.clear();
        }
        PoolKey key = new PoolKey(origin, generation);
        Place place = new Place(
                origin.hostInUrl(),
                origin.authority(),
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
