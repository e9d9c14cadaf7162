package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.testkit.simulation.SimulatedProcess;

/** Observes a {@link SimulatedRabbit}. Called on the thread of the simulation. */
interface RabbitObserver {

    /** Observes nothing. */
    RabbitObserver NONE = new RabbitObserver() {};

    /**
     * A queue has a message that it keeps from now on, also when the broker crashes.
     *
     * @param publisher the process that published it; null for the simulated world and for the broker itself
     */
    default void stored(String queue, SimulatedProcess publisher, BasicProperties properties, byte[] body) {}

    /** A process has acknowledged a message. */
    default void acknowledged(String queue, SimulatedProcess consumer, BasicProperties properties) {}

    /**
     * A process has returned a message to its queue.
     *
     * @param body the body with which the client delivered it, the same object
     */
    default void returned(SimulatedProcess consumer, byte[] body) {}

    /**
     * A process has closed its connection and left deliveries unacknowledged.
     *
     * @param body as in {@link #returned}
     */
    default void left(SimulatedProcess consumer, byte[] body) {}

    /** A crash has lost a message that {@link #stored} reported, because its publisher did not make it persistent. */
    default void lost(BasicProperties properties, byte[] body) {}

    /** A queue keeps a message whose publisher got no confirm in time and publishes it again. */
    default void confirmLost(SimulatedProcess publisher, BasicProperties properties) {}
}
