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

/** RabbitMQ as one node sees it. Connects to nothing before its parts are started. */
public final class RabbitTransport implements Transport {

    private final RabbitSource source;
    private final RabbitSink sink;

    /** For the node with this id, which appears in the connections' names and in dead letters. */
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
