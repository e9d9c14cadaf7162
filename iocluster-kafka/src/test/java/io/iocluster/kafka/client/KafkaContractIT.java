package io.iocluster.kafka.client;

import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.testkit.contract.TransportContract;
import io.iocluster.testkit.contract.TransportFixture;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.kafka.KafkaBroker;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Runs the transport contract on Kafka, with and without ordering. */
class KafkaContractIT {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static KafkaBroker broker;

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyKafka();
    }

    @Nested
    class WithoutOrder extends TransportContract {

        @Override
        public TransportFixture newFixture() {
            return new KafkaTransportFixture(broker, "none-" + TESTS.incrementAndGet(), Ordering.NONE);
        }
    }

    @Nested
    class OrderedByKey extends TransportContract {

        @Override
        public TransportFixture newFixture() {
            return new KafkaTransportFixture(broker, "key-" + TESTS.incrementAndGet(), Ordering.KEY);
        }
    }
}
