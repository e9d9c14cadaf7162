/**
 * The nodes of a cluster as each of them sees it. {@link io.iocluster.node.cluster.ClusterMember} announces this node on the broker,
 * {@link io.iocluster.node.cluster.ClusterView} remembers what the others announce, and both only read snapshots that the node keeps
 * anyway. Records of other nodes are untrusted. {@link io.iocluster.node.cluster.ShareMembers} counts the nodes that use a share of the
 * limits for the whole cluster, and {@link io.iocluster.node.cluster.ShareLease} decides whether this node may use its share: see
 * docs/adr/0034-nodes-announce-themselves-on-the-broker.md.
 */
package io.iocluster.node.cluster;
