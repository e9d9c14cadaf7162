package io.iocluster.testkit.chaos.invariant;

import java.util.Map;

/**
 * The status of a node after all calls are over. Immutable.
 *
 * @param counters by their names in the admin API; each should be 0
 */
public record IdleNodeStatus(String node, boolean ready, Map<String, Long> counters) {

    public IdleNodeStatus {
        counters = Map.copyOf(counters);
    }

    /** Returns whether the node is ready and all counters are 0. */
    public boolean isIdle() {
        return ready && counters.values().stream().allMatch(value -> value == 0);
    }
}
