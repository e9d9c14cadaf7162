package io.iocluster.destination;

import io.iocluster.settings.Rate;

/**
 * The limits of a destination that the nodes of the cluster divide. Immutable.
 *
 * @param nodes number of nodes that divide them; 0 while this node does not know its share and starts no attempt
 * @param maxInFlight limit of attempts in flight for all nodes; null if each node has its own
 * @param rate limit of the attempts started per time span for all nodes; null if each node has its own
 */
public record ClusterLimits(int nodes, Integer maxInFlight, Rate rate) {}
