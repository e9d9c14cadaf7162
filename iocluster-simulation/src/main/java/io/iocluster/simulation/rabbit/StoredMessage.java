package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;

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

    StoredMessage(
            String exchange, String routingKey, BasicProperties properties, byte[] body, long position, long expires) {
        this.exchange = exchange;
        this.routingKey = routingKey;
        this.properties = properties;
        this.body = body;
        this.position = position;
        this.expiresNanos = expires;
    }

    boolean isPersistent() {
        return properties.getDeliveryMode() != null && properties.getDeliveryMode() == PERSISTENT;
    }
}
