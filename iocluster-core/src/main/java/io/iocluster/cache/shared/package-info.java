/**
 * The cache that nodes share, the second tier behind the memory of each node: {@link io.iocluster.cache.shared.SharedCache} looks responses
 * up and writes them within time-outs and limits, in a {@link io.iocluster.cache.shared.SharedStore} that it does not trust. See
 * docs/cache.md.
 */
package io.iocluster.cache.shared;
