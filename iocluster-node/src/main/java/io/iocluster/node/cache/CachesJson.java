package io.iocluster.node.cache;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheStatus;
import io.iocluster.cache.shared.SharedCacheResult;
import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.cache.shared.SharedWriteResult;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the response of {@code /api/caches}. */
public final class CachesJson {

    private static final double NANOS_PER_MILLI = 1_000_000;

    private CachesJson() {}

    /**
     * Writes all caches.
     *
     * @param shared the cache that nodes share; empty if they share none
     */
    public static ObjectNode of(List<CacheStatus> caches, Optional<SharedCacheStatus> shared) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode all = json.putArray("caches");
        caches.forEach(each -> write(each, all.addObject()));
        json.putNull("shared");
        shared.ifPresent(each -> write(each, json.putObject("shared")));
        return json;
    }

    private static void write(SharedCacheStatus cache, ObjectNode json) {
        json.put("address", cache.address());
        json.put("connected", cache.connected());
        json.put("breakerOpen", cache.breakerOpen());
        json.put("outageMs", cache.outage().toMillis());
        json.put("reason", cache.reason());
        json.put("writeProblem", cache.writeProblem());
        json.put("inFlight", cache.inFlight());
        json.put("writesInFlight", cache.writesInFlight());
        long count = cache.lookupCount();
        json.put("meanLookupMs", count == 0 ? 0 : cache.lookupNanos() / count / NANOS_PER_MILLI);
        ObjectNode lookups = json.putObject("lookups");
        for (SharedCacheResult each : SharedCacheResult.values()) {
            lookups.put(each.wireName(), cache.lookups().get(each));
        }
        ObjectNode writes = json.putObject("writes");
        for (SharedWriteResult each : SharedWriteResult.values()) {
            writes.put(each.wireName(), cache.writes().get(each));
        }
    }

    private static void write(CacheStatus cache, ObjectNode json) {
        json.put("destination", cache.destination());
        for (CacheResult each : CacheResult.values()) {
            json.put(each.wireName(), cache.results().get(each));
        }
        json.put("refreshes", cache.refreshes());
        json.put("entries", cache.entries());
        json.put("bytes", cache.bytes());
        json.put("maxBytes", cache.maxBytes());
        json.put("evictions", cache.evictions());
    }
}
