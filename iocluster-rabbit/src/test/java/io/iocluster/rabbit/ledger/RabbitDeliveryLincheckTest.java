package io.iocluster.rabbit.ledger;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Checks in many interleavings that a delivery is settled once, and that the loop is told after the settlement can be polled. */
class RabbitDeliveryLincheckTest {

    @Test
    void isSettledOnce() {
        new ModelCheckingOptions()
                .iterations(6)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(0)
                .check(OneDelivery.class);
    }

    /** A delivery that several threads settle. */
    public static final class OneDelivery {

        private final AtomicInteger signals = new AtomicInteger();
        private final SettlementQueue settled = new SettlementQueue(signals::incrementAndGet);
        private final RabbitDelivery delivery = TestDeliveries.of(settled, 1, new BasicProperties(), "request", false);
        private final AtomicInteger settlements = new AtomicInteger();
        private int received;

        @Operation
        public void acknowledge() {
            settlements.incrementAndGet();
            delivery.acknowledge();
        }

        @Operation
        public void release() {
            settlements.incrementAndGet();
            delivery.release();
        }

        /** Returns whether a signalled settlement was missing. */
        @Operation(nonParallelGroup = "loop")
        public boolean run() {
            boolean signalled = signals.getAndSet(0) > 0;
            boolean found = settled.poll() != null;
            if (found) {
                received++;
            }
            return signalled && received == 0;
        }

        @Validate
        public void theFirstSettlementArrives() {
            if (settled.poll() != null) {
                received++;
            }
            int all = settlements.get();
            if (received != Math.min(1, all) || settled.duplicateSettlements() != all - received) {
                throw new IllegalStateException("settlements=" + all + " received=" + received);
            }
        }
    }
}
