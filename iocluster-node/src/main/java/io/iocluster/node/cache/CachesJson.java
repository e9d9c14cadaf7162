package io.iocluster.node.cache;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheStatus;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the response of {@code /api/caches}. */
public final class CachesJson {

    private CachesJson() {}

    /** Writes all caches. */
    public static ObjectNode of(List<CacheStatus> caches) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode all = json.putArray("caches");
        caches.forEach(each -> write(each, all.addObject()));
        return json;
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
