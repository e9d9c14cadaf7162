/**
 * The nodes of a cluster as each of them sees it. {@link io.iocluster.node.cluster.ClusterMember} announces this node on the broker,
 * {@link io.iocluster.node.cluster.ClusterView} remembers what the others announce, and both only read snapshots that the node keeps
 * anyway. Records of other nodes are untrusted: see docs/adr/0034-nodes-announce-themselves-on-the-broker.md.
 */
package io.iocluster.node.cluster;
