package io.iocluster.node.consul;

/**
 * Status of the Consul integration.
 *
 * @param address the agent's address
 * @param key null if no configuration key is set
 * @param service null if registration is disabled
 */
public record ConsulStatus(String address, KeyStatus key, ServiceStatus service) {

    /**
     * Status of the configuration key.
     *
     * @param connected whether the agent answered the last query; false before the first answer
     * @param problem why it did not; null if it did, or before the first query
     * @param index the last Consul index; 0 before the first answer
     */
    public record KeyStatus(String name, boolean connected, String problem, long index) {}

    /**
     * Status of the registration.
     *
     * @param registered whether the agent knew the service at the last check
     * @param problem why the last check or registration failed; null if it did not
     */
    public record ServiceStatus(String id, boolean registered, String problem) {}
}
