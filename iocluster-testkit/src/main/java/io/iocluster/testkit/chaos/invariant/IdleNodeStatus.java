package io.iocluster.testkit.chaos.invariant;

import java.util.Map;

/**
 * The state that a node reports when all calls are over.
 *
 * @param counters each should be 0, by its name in the admin API
 */
public record IdleNodeStatus(String node, boolean ready, Map<String, Long> counters) {

    public IdleNodeStatus {
        counters = Map.copyOf(counters);
    }

    /** Returns whether the node is ready and holds nothing. */
    public boolean isIdle() {
        return ready && counters.values().stream().allMatch(value -> value == 0);
    }
}
