package io.iocluster.kafka.ledger;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Checks in many interleavings that a record is settled once, and that its call is either made or withdrawn. */
class OffsetDeliveryLincheckTest {

    private static final ConsumerRecord<byte[], byte[]> RECORD = TestRecords.message("in", 0, 0, null);

    @Test
    void isSettledOnceAndEitherStartedOrWithdrawn() {
        new ModelCheckingOptions()
                .iterations(6)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(0)
                .check(OneRecord.class);
    }

    /** A record that several threads settle. */
    public static final class OneRecord {

        private final PollThreadMailbox<OffsetDelivery> mailbox = new PollThreadMailbox<>();
        private final OffsetDelivery delivery = new OffsetDelivery(RECORD, null, mailbox, false, false);
        private final AtomicInteger settlements = new AtomicInteger();
        private int received;

        @Operation
        public boolean claim() {
            return delivery.claim();
        }

        @Operation(nonParallelGroup = "poll thread")
        public boolean withdraw() {
            return delivery.withdraw();
        }

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

        @Operation(nonParallelGroup = "poll thread")
        public void poll() {
            if (mailbox.poll() != null) {
                received++;
            }
        }

        @Validate
        public void theFirstSettlementArrives() {
            while (mailbox.poll() != null) {
                received++;
            }
            int all = settlements.get();
            if (received != Math.min(1, all) || mailbox.duplicateSettlements() != all - received) {
                throw new IllegalStateException("settlements=" + all + " received=" + received);
            }
        }
    }
}
