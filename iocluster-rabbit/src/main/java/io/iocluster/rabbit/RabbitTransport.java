package io.iocluster.rabbit;

import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.Connector;
import io.iocluster.rabbit.connection.ResourceAlarm;
import io.iocluster.rabbit.connection.Topology;
import io.iocluster.rabbit.sink.RabbitSink;
import io.iocluster.rabbit.source.RabbitSource;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.Transport;

/** The RabbitMQ transport of one node. Connects when its source or sink is started. Immutable. */
public final class RabbitTransport implements Transport {

    private final RabbitSource source;
    private final RabbitSink sink;

    /** @param nodeId part of the connections' names and a header of dead letters */
    public RabbitTransport(RabbitSettings settings, String nodeId) {
        Connector connector = new Connector(settings, nodeId);
        ResourceAlarm alarm = new ResourceAlarm();
        this.source = new RabbitSource(settings, connector, alarm, new Topology(settings));
        this.sink = new RabbitSink(settings, connector, alarm, nodeId);
    }

    @Override
    public String name() {
        return "rabbit";
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
