package io.iocluster.node.consul;

import io.iocluster.upstream.ConsulUpstreamSettings;
import java.util.List;

/**
 * Status of the Consul integration.
 *
 * @param address the agent's address
 * @param key null if no configuration key is set
 * @param service null if registration is disabled
 * @param upstreams the services that are upstreams of destinations
 */
public record ConsulStatus(
        String address, KeyStatus key, ServiceStatus service, List<UpstreamServiceStatus> upstreams) {

    public ConsulStatus {
        upstreams = List.copyOf(upstreams);
    }

    /** Returns whether the agent answered the last query for each service that is an upstream. */
    boolean upstreamsConnected() {
        return upstreams.stream().allMatch(UpstreamServiceStatus::connected);
    }

    /**
     * Status of a service that is an upstream.
     *
     * @param connected whether the agent answered the last query; false before the first answer
     * @param problem why it did not; null if it did, or before the first query
     * @param instances healthy instances in the last answer
     */
    public record UpstreamServiceStatus(
            ConsulUpstreamSettings service, boolean connected, String problem, int instances) {}

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
