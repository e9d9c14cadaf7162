package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.testkit.simulation.SimulatedProcess;

/** A message of one queue. Owned by its {@link BrokerQueue}, also while it is delivered. */
final class StoredMessage {

    static final long NEVER = Long.MAX_VALUE;

    private static final int PERSISTENT = 2;

    final String exchange;
    final String routingKey;
    final BasicProperties properties;
    final byte[] body;
    /** The position at which it arrived on the queue. */
    final long position;
    /** When it expires, in virtual nanoseconds, or {@link #NEVER}. */
    final long expiresNanos;
    /** How often it has returned to the queue. */
    int returns;
    /** Whether it is on disk. */
    boolean synced;
    /** The message as its publisher knows it; null if no client has published it. */
    OutgoingMessage outgoing;

    StoredMessage(
            String exchange, String routingKey, BasicProperties properties, byte[] body, long position, long expires) {
        this.exchange = exchange;
        this.routingKey = routingKey;
        this.properties = properties;
        this.body = body;
        this.position = position;
        this.expiresNanos = expires;
    }

    /** Returns the process that published it; null if no client has. */
    SimulatedProcess publisher() {
        return outgoing == null ? null : outgoing.publisher();
    }

    boolean isPersistent() {
        return properties.getDeliveryMode() != null && properties.getDeliveryMode() == PERSISTENT;
    }
}
