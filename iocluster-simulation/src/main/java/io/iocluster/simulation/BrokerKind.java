package io.iocluster.simulation;

import io.iocluster.simulation.broker.SimulatedBroker;
import io.iocluster.simulation.kafka.SimulatedKafka;
import io.iocluster.simulation.queue.QueueBroker;
import io.iocluster.simulation.rabbit.RabbitBroker;
import io.iocluster.testkit.simulation.Simulation;
import java.util.function.Function;

/** The broker of a run. */
public enum BrokerKind {
    /** One queue of messages, with a transport that does no more than a node needs of one. */
    QUEUE(QueueBroker::new),
    /** RabbitMQ, with the transport of the product. */
    RABBIT(RabbitBroker::new),
    /** Kafka with the real transport, and groups of the classic protocol. */
    KAFKA(simulation -> new SimulatedKafka(simulation, false)),
    /** Kafka with the real transport, and groups of the consumer protocol (KIP-848). */
    KAFKA_CONSUMER(simulation -> new SimulatedKafka(simulation, true));

    private final Function<Simulation, SimulatedBroker> create;

    BrokerKind(Function<Simulation, SimulatedBroker> create) {
        this.create = create;
    }

    /** Returns whether nodes use the Kafka transport. */
    public boolean isKafka() {
        return this == KAFKA || this == KAFKA_CONSUMER;
    }

    SimulatedBroker create(Simulation simulation) {
        return create.apply(simulation);
    }
}
