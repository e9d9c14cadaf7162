package io.iocluster.node.consul;

/**
 * How a node stands with its agent.
 *
 * @param address the agent's
 * @param key null if no part of the configuration is in Consul
 * @param service null if the node is not to be registered
 */
public record ConsulStatus(String address, KeyStatus key, ServiceStatus service) {

    /**
     * What is known of the key.
     *
     * @param connected whether the last query was answered; false until the first was
     * @param problem why not; null if it was, or none was made
     * @param index the one that Consul gave last; 0 before that
     */
    public record KeyStatus(String name, boolean connected, String problem, long index) {}

    /**
     * What is known of the registration.
     *
     * @param registered whether the agent had it when it was last asked
     * @param problem why that is not known; null if it is
     */
    public record ServiceStatus(String id, boolean registered, String problem) {}
}
