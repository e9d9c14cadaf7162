package io.iocluster.testkit.memory;

import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A node's way to a {@link MemoryBroker}. */
public final class MemoryTransport implements Transport {

    private final MemorySource source;
    private final MemorySink sink;

    /** A transport that allows no other place for answers. */
    public MemoryTransport(MemoryBroker broker) {
        this(broker, "node", Set.of());
    }

    /**
     * A transport.
     *
     * @param node the id that dead letters name
     * @param replyPlaces where else answers may go
     */
    public MemoryTransport(MemoryBroker broker, String node, Set<String> replyPlaces) {
        this(broker, node, replyPlaces, List.of());
    }

    /**
     * A transport that puts requests off.
     *
     * @param delays for how long, shortest first
     */
    public MemoryTransport(MemoryBroker broker, String node, Set<String> replyPlaces, List<Duration> delays) {
        this.source = new MemorySource(broker);
        this.sink = new MemorySink(broker, node, replyPlaces, delays);
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
