package io.iocluster.simulation.queue;

import io.iocluster.simulation.engine.SimulatedProcess;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.Transport;

/** The connection of one node to a {@link QueueBroker}. */
public final class QueueTransport implements Transport {

    private final QueueBroker broker;
    private final QueueSource source;
    private final QueueSink sink;

    /** Creates a transport that is not started. */
    public QueueTransport(QueueBroker broker, SimulatedProcess process) {
        this.broker = broker;
        this.source = new QueueSource(broker, process);
        this.sink = new QueueSink(broker, process);
    }

    /** Loses the connection: the broker redelivers its messages. */
    public void disconnect() {
        broker.connectionLost(source);
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public RequestSource source() {
        return source;
    }

    @Override
    public ResponseSink sink() {
        return sink;
    }
}
