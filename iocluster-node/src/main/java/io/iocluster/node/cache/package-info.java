/** The meters and the status of the caches of responses. */
package io.iocluster.node.cache;
