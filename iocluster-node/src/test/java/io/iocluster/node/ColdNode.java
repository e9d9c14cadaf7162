package io.iocluster.node;

import java.util.Map;

/** Settings of nodes that start without a warm-up, which would make every test longer. */
public final class ColdNode {

    public static final Map<String, String> ENVIRONMENT = Map.of("IOCLUSTER_NODE_WARM_UP", "0s");

    /**
     * A line of configuration for tests that count requests. On a busy machine the first calls of a node may take longer than the default
     * timeout, and the node would make them again.
     */
    public static final String LONG_TIMEOUTS = "http: {timeout: 180s, deadline: 240s}";

    /** The same as {@link #LONG_TIMEOUTS} in environment variables, for configuration files that a test must not change. */
    public static final Map<String, String> LONG_TIMEOUT_VARIABLES =
            Map.of("IOCLUSTER_HTTP_TIMEOUT", "180s", "IOCLUSTER_HTTP_DEADLINE", "240s");

    private ColdNode() {}
}
