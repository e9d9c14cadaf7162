package io.iocluster.node.door;

import io.iocluster.door.call.Calls;
import io.iocluster.door.http.DoorPages.Page;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.upstream.ConsulUpstreamSettings;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Set;

/** What makes the calls of a door, with its metrics. Owned by the door process. Thread-safe. */
interface DoorBackend extends AutoCloseable {

    /** Returns what makes the calls. The door closes it. */
    Calls calls();

    /** Starts to make calls. Earlier calls wait. */
    void start();

    /** Adds meters to the metrics. */
    void bind(MeterBinder meters);

    /** Returns all metrics as text, for a value of {@code Accept}, which may be null. */
    Page metrics(String accept);

    /** Returns the Consul services that are upstreams of the calls. */
    Set<ConsulUpstreamSettings> services(NodeSettings settings);

    /** Replaces the instances of a service. */
    void setService(ConsulUpstreamSettings service, List<UpstreamAddress> instances);

    /** Applies the live settings. Returns whether anything changed. */
    boolean apply(NodeSettings next);

    /** Closes the rest, after the calls. */
    @Override
    void close();
}
