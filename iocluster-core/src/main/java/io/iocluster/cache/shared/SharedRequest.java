package io.iocluster.cache.shared;

import io.iocluster.cache.CacheableRequest;

/**
 * A request whose response nodes share. Immutable.
 *
 * @param destination the name of its destination
 * @param local the request as this node knows it
 * @param everywhere the same request as {@linkplain CacheableRequest#onAllNodes all nodes} know it
 */
public record SharedRequest(String destination, CacheableRequest local, CacheableRequest everywhere) {}
