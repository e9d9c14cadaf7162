/**
 * Selects one of the upstreams of a destination for each attempt: {@link io.iocluster.upstream.UpstreamBalancer} compares two by their
 * calls in flight and latency, and ejects those that fail. Knows nothing about how upstreams are found or called.
 */
package io.iocluster.upstream;
