package io.iocluster.node.cluster;

/**
 * A record of a simulated node.
 *
 * @param announcement whether it is an announcement, which a node of an older version reads too
 * @param leaving whether it is the last one of its node
 */
record SimulatedRecord(Heartbeat heartbeat, boolean announcement, boolean leaving) {}
