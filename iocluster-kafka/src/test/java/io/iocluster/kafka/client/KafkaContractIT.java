package io.iocluster.kafka.client;

import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.testkit.contract.TransportContract;
import io.iocluster.testkit.contract.TransportFixture;
import io.iocluster.testkit.kafka.KafkaBroker;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract of every transport, on Kafka, in both orders. */
class KafkaContractIT {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static KafkaBroker broker;

    @BeforeAll
    static void startBroker() {
        // A killed broker is taken back when its session has ended, which takes nine seconds otherwise.
        broker = KafkaBroker.launch(Map.of("broker.session.timeout.ms", "2000", "broker.heartbeat.interval.ms", "200"));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
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
