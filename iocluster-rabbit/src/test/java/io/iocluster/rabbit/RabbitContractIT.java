package io.iocluster.rabbit;

import io.iocluster.rabbit.RabbitSettings.QueueType;
import io.iocluster.testkit.broker.RabbitBroker;
import io.iocluster.testkit.contract.TransportContract;
import io.iocluster.testkit.contract.TransportFixture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract of every transport, on RabbitMQ, with both types of queue. */
class RabbitContractIT {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static RabbitBroker broker;

    @BeforeAll
    static void startBroker() {
        broker = RabbitBroker.launch();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Nested
    class OnQuorumQueues extends TransportContract {

        @Override
        protected TransportFixture newFixture() {
            return new RabbitFixture(broker, "quorum-" + TESTS.incrementAndGet(), QueueType.QUORUM);
        }
    }

    @Nested
    class OnClassicQueues extends TransportContract {

        @Override
        protected TransportFixture newFixture() {
            return new RabbitFixture(broker, "classic-" + TESTS.incrementAndGet(), QueueType.CLASSIC);
        }
    }
}
