package io.iocluster.rabbit;

import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.Connector;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.rabbit.connection.ResourceAlarm;
import io.iocluster.rabbit.connection.Topology;
import io.iocluster.rabbit.sink.RabbitSink;
import io.iocluster.rabbit.source.RabbitSource;
import io.iocluster.thread.Platform;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.Transport;

/** The RabbitMQ transport of one node. Connects when its source or sink is started. Immutable. */
public final class RabbitTransport implements Transport {

    private final RabbitSource source;
    private final RabbitSink sink;

    /** Creates a transport that connects to the configured broker. */
    public RabbitTransport(RabbitSettings settings, String nodeId, Platform platform) {
        this(settings, nodeId, new Connector(settings, nodeId, platform), platform);
    }

    /** @param nodeId a header of dead letters */
    public RabbitTransport(RabbitSettings settings, String nodeId, RabbitConnections connections, Platform platform) {
        ResourceAlarm alarm = new ResourceAlarm();
        this.source = new RabbitSource(settings, connections, alarm, new Topology(settings), platform);
        this.sink = new RabbitSink(settings, connections, alarm, nodeId, platform);
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
