package io.iocluster.testkit.memory;

import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A transport on a {@link MemoryBroker}. Thread-safe. */
public final class MemoryTransport implements Transport {

    private final RequestSource source;
    private final ResponseSink sink;

    /** Creates a transport that allows no {@code replyTo}. */
    public MemoryTransport(MemoryBroker broker) {
        this(broker, "node", Set.of());
    }

    /**
     * Creates a transport.
     *
     * @param node the node id in dead letters
     * @param allowedReplyTo the queues that requests may name in {@code replyTo}
     */
    public MemoryTransport(MemoryBroker broker, String node, Set<String> allowedReplyTo) {
        this(broker, node, allowedReplyTo, List.of());
    }

    /**
     * Creates a transport with delayed retries.
     *
     * @param delays the supported delays, shortest first
     */
    public MemoryTransport(MemoryBroker broker, String node, Set<String> allowedReplyTo, List<Duration> delays) {
        MemoryQueue queue = new MemoryQueue(broker);
        this.source = queue.source();
        this.sink = new MemorySink(broker, node, allowedReplyTo, delays);
    }

    @Override
    public String name() {
        return MemoryQueue.NAME;
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
