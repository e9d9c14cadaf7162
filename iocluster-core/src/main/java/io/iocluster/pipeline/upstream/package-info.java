/**
 * Connects the attempts of a node to the upstreams of their destinations: {@link io.iocluster.pipeline.upstream.UpstreamBalancers} has a
 * balancer for each destination with upstreams, and {@link io.iocluster.pipeline.upstream.BalancingHttpExecutor} asks it once for each
 * attempt. See docs/upstreams.md.
 */
package io.iocluster.pipeline.upstream;
