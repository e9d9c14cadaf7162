package io.iocluster.pipeline;

import io.iocluster.destination.policy.DestinationPolicies;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ahc.AsyncHttpExecutorFactory;
import io.netty.channel.EventLoopGroup;

/** Makes the executor of each worker's event loop; closed after the last of them. */
interface HttpExecutorFactory extends AutoCloseable {

    /** Executors that really make calls. */
    static HttpExecutorFactory of(AsyncHttpExecutorFactory executors) {
        return new HttpExecutorFactory() {
            @Override
            public HttpExecutor create(EventLoopGroup loop, HttpSettings settings, DestinationPolicies destinations) {
                return executors.newExecutor(
                        loop, settings, host -> destinations.policyFor(host).httpProfile());
            }

            @Override
            public void close() {
                executors.close();
            }
        };
    }

    /**
     * An executor on a group of exactly one event loop, which the caller ends after it has closed the executor.
     *
     * @param destinations say how connections to a host are made
     */
    HttpExecutor create(EventLoopGroup loop, HttpSettings settings, DestinationPolicies destinations);

    @Override
    void close();
}
