/**
 * This node's share of the limits that the nodes of a cluster divide. {@link io.iocluster.node.cluster.share.ShareMembers} counts the
 * nodes that use a share, and {@link io.iocluster.node.cluster.share.ShareLease} decides whether this node may use its own: see
 * docs/adr/0045-nodes-divide-limits-by-their-announcements.md.
 */
package io.iocluster.node.cluster.share;
