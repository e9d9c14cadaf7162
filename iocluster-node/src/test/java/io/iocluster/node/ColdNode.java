package io.iocluster.node;

import java.util.Map;

/** The environment of nodes that start without a warm-up, which would make every test longer. */
public final class ColdNode {

    public static final Map<String, String> ENVIRONMENT = Map.of("IOCLUSTER_NODE_WARM_UP", "0s");

    private ColdNode() {}
}
