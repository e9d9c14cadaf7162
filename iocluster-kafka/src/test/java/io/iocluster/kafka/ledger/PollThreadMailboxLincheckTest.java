package io.iocluster.kafka.ledger;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Checks in many interleavings that the poll thread never sleeps while what it waits for has arrived. */
class PollThreadMailboxLincheckTest {

    private static final ConsumerRecord<byte[], byte[]> RECORD = TestRecords.message("in", 0, 0, null);

    @Test
    void wakesThePollThread() {
        new ModelCheckingOptions()
                .iterations(8)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(0)
                .check(WaitingPollThread.class);
    }

    /** A poll thread that waits for settlements, and for capacity if it has none. */
    public static final class WaitingPollThread {

        private final PollThreadMailbox<OffsetDelivery> mailbox = new PollThreadMailbox<>();
        private final OffsetDelivery delivery = new OffsetDelivery(RECORD, null, mailbox, false, false);
        private final AtomicInteger unreceived = new AtomicInteger();
        private final AtomicInteger capacity = new AtomicInteger();
        private final AtomicBoolean woken = new AtomicBoolean();
        private boolean asleep;

        public WaitingPollThread() {
            mailbox.setReader(() -> woken.set(true));
        }

        @Operation
        public void settle() {
            unreceived.incrementAndGet();
            mailbox.post(delivery);
        }

        @Operation
        public void freeCapacity() {
            capacity.incrementAndGet();
            mailbox.capacityAvailable();
        }

        /** One run of the loop, unless it sleeps. */
        @Operation(nonParallelGroup = "poll thread")
        public void run() {
            if (asleep && !woken.getAndSet(false)) {
                return;
            }
            mailbox.expectNothing();
            while (mailbox.poll() != null) {
                unreceived.decrementAndGet();
            }
            mailbox.expectCapacity();
            mailbox.expectSettlements();
            capacity.set(0);
            asleep = mailbox.maxWait(1) > 0;
        }

        @Validate
        public void doesNotSleepThroughWork() {
            if (asleep && !woken.get() && unreceived.get() + capacity.get() > 0) {
                throw new IllegalStateException("settled=" + unreceived.get() + " capacity=" + capacity.get());
            }
        }
    }
}
