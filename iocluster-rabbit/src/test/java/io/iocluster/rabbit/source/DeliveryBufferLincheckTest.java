package io.iocluster.rabbit.source;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.connection.InboundBudget;
import io.iocluster.rabbit.ledger.RabbitDelivery;
import io.iocluster.rabbit.ledger.TestDeliveries;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Checks in many interleavings that no delivery stays in the buffer after capacity was freed. */
class DeliveryBufferLincheckTest {

    private static final RabbitDelivery DELIVERY = TestDeliveries.of(new BasicProperties(), "request");

    @Test
    void offersAgainAfterCapacityWasFreed() {
        new ModelCheckingOptions()
                .iterations(6)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(0)
                .check(FullIntake.class);
    }

    /** An intake without capacity, and the loop that offers to it. */
    public static final class FullIntake {

        private final AtomicInteger capacity = new AtomicInteger();
        private final AtomicBoolean requested = new AtomicBoolean();
        private final DeliveryBuffer buffer =
                new DeliveryBuffer(delivery -> takeCapacity(), () -> false, new InboundBudget(1_000_000));

        private boolean takeCapacity() {
            int free = capacity.get();
            return free > 0 && capacity.compareAndSet(free, free - 1);
        }

        @Operation
        public void freeCapacity() {
            capacity.incrementAndGet();
            if (buffer.isIntakeFull()) {
                requested.set(true);
            }
        }

        @Operation(nonParallelGroup = "loop")
        public void deliver() {
            buffer.add(DELIVERY);
        }

        @Operation(nonParallelGroup = "loop")
        public void runIfRequested() {
            if (requested.getAndSet(false)) {
                buffer.offerBuffered();
            }
        }

        @Validate
        public void nothingWaitsForCapacityThatIsFree() {
            if (buffer.buffered() > 0 && capacity.get() > 0 && !requested.get()) {
                throw new IllegalStateException("buffered=" + buffer.buffered() + " capacity=" + capacity.get());
            }
        }
    }
}
