package io.iocluster.pipeline;

import io.iocluster.destination.policy.DestinationPolicies;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.client.NettyHttpExecutorFactory;
import io.netty.channel.EventLoopGroup;

/** Creates the HTTP executor of each worker's event loop. Thread-safe. */
public interface HttpExecutorFactory {

    /** Returns a factory of executors that make real calls. */
    static HttpExecutorFactory of(NettyHttpExecutorFactory executors) {
        return (loop, settings, destinations) -> executors.newExecutor(
                loop, settings, host -> destinations.policyFor(host).httpProfile());
    }

    /**
     * Creates an executor on a group of exactly one event loop. The caller shuts the group down after it has closed the executor.
     *
     * @param destinations configure the connections to each host
     */
    HttpExecutor create(EventLoopGroup loop, HttpSettings settings, DestinationPolicies destinations);
}
