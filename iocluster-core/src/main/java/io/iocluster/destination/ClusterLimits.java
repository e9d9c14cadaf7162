package io.iocluster.destination;

import io.iocluster.settings.Rate;
import io.iocluster.status.StatusField;

/**
 * The limits of a destination that the nodes of the cluster divide. Immutable.
 */
public record ClusterLimits(
        @StatusField(
                doc =
                        "number of nodes that divide them; 0 while this node does not know its share and starts no attempt")
        int nodes,

        @StatusField(
                nullable = true,
                doc = "maximum attempts in flight of all nodes together; null if each node has its own limit")
        Integer maxInFlight,

        @StatusField(
                nullable = true,
                doc =
                        "maximum attempts that all nodes together start in a time span; null if each node has its own limit")
        Rate rate) {}
