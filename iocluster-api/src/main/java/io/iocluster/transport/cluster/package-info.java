/**
 * The channel on which the nodes of a cluster announce themselves: {@link io.iocluster.transport.cluster.ClusterChannel}.
 * What a record says is the node's matter; a transport only carries bytes.
 */
package io.iocluster.transport.cluster;
