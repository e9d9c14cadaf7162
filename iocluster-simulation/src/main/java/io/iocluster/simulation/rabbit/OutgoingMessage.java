package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.testkit.simulation.SimulatedProcess;

/**
 * A message that a client has published: whether a queue keeps it, and whether the client learns that in time. Used by both sides of the
 * channel. Confined to the thread of the simulation.
 */
final class OutgoingMessage {

    private final SimulatedRabbit broker;
    private final SimulatedProcess publisher;
    private final BasicProperties properties;
    private final long giveUpNanos;
    private boolean stored;
    private boolean settled;
    private boolean abandoned;

    OutgoingMessage(SimulatedRabbit broker, SimulatedProcess publisher, BasicProperties properties) {
        this.broker = broker;
        this.publisher = publisher;
        this.properties = properties;
        this.giveUpNanos = broker.simulation().nanos() + broker.confirmTimeout().toNanos();
    }

    SimulatedProcess publisher() {
        return publisher;
    }

    /** A queue keeps the message. */
    void stored() {
        stored = true;
        reportIfLost();
    }

    /** The client has received the confirm or the refusal. */
    void settled() {
        settled = true;
        if (broker.simulation().nanos() > giveUpNanos) {
            abandon();
        }
    }

    /** The client can receive no confirm any more. */
    void closed() {
        if (!settled) {
            abandon();
        }
    }

    /** The client publishes the message again, if it still wants to. */
    void abandon() {
        abandoned = true;
        reportIfLost();
    }

    private void reportIfLost() {
        if (stored && abandoned) {
            stored = false; // Reported once.
            broker.observer().confirmLost(publisher, properties);
        }
    }
}
