/**
 * The channel on which the nodes of a cluster announce themselves: {@link io.iocluster.transport.cluster.ClusterChannel}.
 * A transport only carries bytes. The node defines what they mean.
 */
package io.iocluster.transport.cluster;
