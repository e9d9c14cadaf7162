package io.iocluster.rabbit.client;

import io.iocluster.testkit.contract.TransportContract;
import io.iocluster.testkit.contract.TransportFixture;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;

/** Runs the transport contract on RabbitMQ. */
class RabbitContractIT extends TransportContract {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static RabbitBroker broker;

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyRabbit();
    }

    @Override
    public TransportFixture newFixture() {
        return new RabbitTransportFixture(broker, "contract-" + TESTS.incrementAndGet());
    }
}
