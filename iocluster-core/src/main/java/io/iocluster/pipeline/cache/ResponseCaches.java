package io.iocluster.pipeline.cache;

import io.iocluster.cache.CacheSettings;
import io.iocluster.cache.CacheStatus;
import io.iocluster.cache.CacheableRequest;
import io.iocluster.cache.CallIdentity;
import io.iocluster.cache.shared.SharedCache;
import io.iocluster.cache.shared.SharedCacheSettings;
import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.cache.shared.SharedStore;
import io.iocluster.credential.CredentialStore;
import io.iocluster.destination.Admission;
import io.iocluster.destination.Destination;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.http.HttpRequest;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallCache;
import io.iocluster.pipeline.call.OpenCalls;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.thread.Platform;
import io.iocluster.transport.Delivery;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The caches of all destinations: one for each entry of {@code destinations} that has one, and one for all hosts without an entry.
 * Thread-safe.
 */
public final class ResponseCaches implements CallCache, AutoCloseable {

    /** The name of the cache of all hosts without an entry. */
    public static final String DEFAULTS = "destination-defaults";

    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    private final CredentialStore credentials;
    private final Function<Delivery, String> apps;
    private final SharedCache shared;
    private final DestinationCache.Environment node;
    private final Map<String, DestinationCache> byName = new ConcurrentHashMap<>();

    /**
     * Creates no cache before {@link #applySettings}.
     *
     * @param apps returns the name of the app in a message, or null
     * @param window limits what the answers hold
     * @param open the registry of calls that have not ended
     * @param stores opens the store of the cache that nodes share
     */
    public ResponseCaches(
            CredentialStore credentials,
            Function<Delivery, String> apps,
            InFlightWindow window,
            OpenCalls open,
            Platform platform,
            SharedStore.Factory stores) {
        this.credentials = credentials;
        this.apps = apps;
        this.shared = new SharedCache(stores, platform);
        this.node = new DestinationCache.Environment(credentials, window, open, platform, shared);
    }

    /**
     * Applies new settings. A cache that is still enabled keeps its responses, as far as they fit.
     *
     * @param forget whether to remove all responses, to store none of the attempts that are under way, and to share none until {@link
     *     #applySharedSettings}
     */
    public synchronized void applySettings(
            List<DestinationSettings> destinations, DestinationPolicy defaults, boolean forget) {
        Map<String, CacheSettings> enabled = new HashMap<>();
        for (DestinationSettings each : destinations) {
            enabled.put(each.name(), each.policy().cache());
        }
        enabled.put(DEFAULTS, defaults.cache());
        enabled.values().removeIf(settings -> !settings.isEnabled());
        byName.keySet().retainAll(enabled.keySet());
        enabled.forEach((name, settings) -> {
            long maxBytes = settings.maxBytes().bytes();
            byName.computeIfAbsent(name, key -> new DestinationCache(key, maxBytes, node))
                    .store()
                    .setMaxBytes(maxBytes);
        });
        if (forget) {
            // Otherwise a lookup would store a response from before again, until applySharedSettings() has opened
            // another connection.
            shared.disconnect();
            byName.values().forEach(cache -> cache.store().clear());
        }
    }

    /**
     * Applies new settings of the cache that nodes share.
     *
     * @param generation the hash of the settings that stored responses depend on
     */
    public void applySharedSettings(SharedCacheSettings settings, byte[] generation) {
        shared.applySettings(settings, generation);
    }

    /** Returns a snapshot of the cache that nodes share; empty if they share none. */
    public Optional<SharedCacheStatus> sharedStatus() {
        return shared.status();
    }

    /** Closes the connection to the cache that nodes share. */
    @Override
    public void close() {
        shared.close();
    }

    @Override
    public Admission admit(Call call, boolean sourceKeeps) {
        Destination<Call> target = call.target();
        CacheSettings settings = target.policy().cache();
        return settings.isEnabled() ? admit(call, settings, sourceKeeps) : null;
    }

    private Admission admit(Call call, CacheSettings settings, boolean sourceKeeps) {
        String name = call.target().isConfigured() ? call.target().name() : DEFAULTS;
        DestinationCache cache = byName.get(name);
        if (cache == null) {
            return null; // A reload removed the destination while the call waited for the quota of its app.
        }
        HttpRequest request = call.nextRequest();
        CallIdentity identity = new CallIdentity(
                apps.apply(call.delivery()), request.credential(), credentials.version(request.credential()));
        CacheableRequest cached = CacheableRequest.of(settings, identity, request);
        if (cached != null) {
            return cache.admit(call, cached, sourceKeeps);
        }
        if (!SAFE.contains(request.method()) && !settings.methods().contains(request.method())) {
            call.progress().setInterceptor(new CacheInvalidation(cache.store()));
        }
        return null;
    }

    /** Returns a snapshot of each cache, ordered by name. */
    public List<CacheStatus> status() {
        return byName.values().stream()
                .map(DestinationCache::status)
                .sorted(Comparator.comparing(CacheStatus::destination))
                .toList();
    }
}
