/**
 * The responses that a node stores, so that it need not call a target again: what may be stored and for how long ({@link
 * io.iocluster.cache.StorageRules}), by which {@link io.iocluster.cache.CacheKey} it is found, and the {@link
 * io.iocluster.cache.ResponseStore} of each destination. Follows RFC 9111 as far as the settings ask for it.
 */
package io.iocluster.cache;
