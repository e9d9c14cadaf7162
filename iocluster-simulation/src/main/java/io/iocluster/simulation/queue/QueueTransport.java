package io.iocluster.simulation.queue;

import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.Transport;

/** The connection of one node to a {@link QueueBroker}. */
record QueueTransport(RequestSource source, ResponseSink sink) implements Transport {

    @Override
    public String name() {
        return "memory";
    }
}
