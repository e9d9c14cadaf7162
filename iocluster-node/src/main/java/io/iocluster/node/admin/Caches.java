package io.iocluster.node.admin;

import io.iocluster.cache.CacheStatus;
import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.status.StatusField;
import java.util.List;
import java.util.Optional;

/** The caches of a node: the response of {@code /api/caches}. */
public record Caches(
        @StatusField List<CacheStatus> caches,

        @StatusField(nullable = true, doc = "the cache that nodes share; null if this node has none")
        Optional<SharedCacheStatus> shared) {}
