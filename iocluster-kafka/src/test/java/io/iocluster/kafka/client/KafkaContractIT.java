package io.iocluster.kafka.client;

import io.iocluster.testkit.contract.TransportContract;
import io.iocluster.testkit.contract.TransportFixture;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.kafka.KafkaBroker;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;

/** Runs the transport contract on Kafka. */
class KafkaContractIT extends TransportContract {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static KafkaBroker broker;

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyKafka();
    }

    @Override
    public TransportFixture newFixture() {
        return KafkaTransportFixture.ofGroup(broker, "contract-" + TESTS.incrementAndGet());
    }
}
