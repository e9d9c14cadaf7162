package io.iocluster.node.consul;

import io.iocluster.status.StatusField;
import io.iocluster.upstream.ConsulUpstreamSettings;
import java.util.List;

/**
 * Status of the Consul integration.
 */
public record ConsulStatus(
        @StatusField String address,

        @StatusField(nullable = true, doc = "null if no key is configured")
        KeyStatus key,

        @StatusField(nullable = true, doc = "null if the node is not registered as a service")
        ServiceStatus service,

        @StatusField(doc = "the Consul services that are upstreams of destinations")
        List<UpstreamServiceStatus> upstreams) {

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
     * @param connected false before the first answer
     * @param problem null also before the first query
     */
    public record UpstreamServiceStatus(
            @StatusField(inline = true) ConsulUpstreamSettings service,

            @StatusField(doc = "whether the agent answered the last query")
            boolean connected,

            @StatusField(nullable = true, doc = "why it did not; null if it did")
            String problem,

            @StatusField(doc = "healthy instances in the last answer")
            int instances) {}

    /**
     * Status of the configuration key.
     *
     * @param connected whether the agent answered the last query; false before the first answer
     * @param problem why it did not; null if it did, or before the first query
     * @param index 0 before the first answer
     */
    public record KeyStatus(
            @StatusField String name,
            @StatusField boolean connected,

            @StatusField(nullable = true, doc = "the reason if not")
            String problem,

            @StatusField(doc = "the index of the last response of Consul")
            long index) {}

    /**
     * Status of the registration.
     *
     * @param registered whether the agent knew the service at the last check
     * @param problem why the last check or registration failed; null if it did not
     */
    public record ServiceStatus(
            @StatusField String id,
            @StatusField boolean registered,

            @StatusField(nullable = true, doc = "the reason if not")
            String problem) {}
}
