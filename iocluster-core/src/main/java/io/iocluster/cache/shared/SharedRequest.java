package io.iocluster.cache.shared;

import io.iocluster.cache.CachedRequest;

/**
 * A request whose response nodes share. Immutable.
 *
 * @param destination the name of its destination
 * @param local the request as this node knows it
 * @param everywhere the same request as {@linkplain CachedRequest#onAllNodes all nodes} know it
 */
public record SharedRequest(String destination, CachedRequest local, CachedRequest everywhere) {}
