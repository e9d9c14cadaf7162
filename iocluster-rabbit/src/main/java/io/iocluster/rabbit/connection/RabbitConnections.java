package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * Opens the connections of one node or client. Nothing else creates a {@link Connection}, so that a simulation can replace the broker.
 * Thread-safe.
 */
public interface RabbitConnections {

    /** Returns the addresses of the broker's nodes, without credentials. */
    String addresses();

    /** Creates the event loop of one source or sink. */
    EventLoopThread newLoop(String threadName);

    /**
     * Opens a connection to any broker node that answers. Its callbacks run on the loop. Blocks, so it must not run on an
     * {@link EventLoopThread}.
     *
     * @param role its purpose, part of the connection name
     * @param loop reads and writes it; created by {@link #newLoop}
     * @param inbound supplies the handler of each connection attempt, or null; the handler sees each frame before the client
     * @throws IOException if no broker node accepts the connection; the message is for the operator
     */
    Connection open(String role, EventLoopThread loop, Supplier<InboundGuard> inbound) throws IOException;

    /** Opens a connection without a handler, as {@link #open(String, EventLoopThread, Supplier)} does. */
    default Connection open(String role, EventLoopThread loop) throws IOException {
        return open(role, loop, () -> null);
    }
}
