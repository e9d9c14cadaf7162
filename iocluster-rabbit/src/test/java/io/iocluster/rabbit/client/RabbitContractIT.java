package io.iocluster.rabbit.client;

import io.iocluster.rabbit.config.RabbitSettings.QueueType;
import io.iocluster.testkit.contract.TransportContract;
import io.iocluster.testkit.contract.TransportFixture;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Runs the contract of all transports on RabbitMQ with both queue types. */
class RabbitContractIT {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static RabbitBroker broker;

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyRabbit();
    }

    @Nested
    class OnQuorumQueues extends TransportContract {

        @Override
        public TransportFixture newFixture() {
            return new RabbitTransportFixture(broker, "quorum-" + TESTS.incrementAndGet(), QueueType.QUORUM);
        }
    }

    @Nested
    class OnClassicQueues extends TransportContract {

        @Override
        public TransportFixture newFixture() {
            return new RabbitTransportFixture(broker, "classic-" + TESTS.incrementAndGet(), QueueType.CLASSIC);
        }
    }
}
