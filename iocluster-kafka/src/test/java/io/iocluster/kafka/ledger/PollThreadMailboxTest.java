package io.iocluster.kafka.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which signals wake the poll thread. */
class PollThreadMailboxTest {

    private final PollThreadMailbox<OffsetDelivery> mailbox = new PollThreadMailbox<>();
    private int wakes;

    @BeforeEach
    void setReader() {
        mailbox.setReader(() -> wakes++);
    }

    @Test
    void aSettlementDoesNotWakeTheThreadIfItIsNotExpected() {
        mailbox.expectCapacity();

        mailbox.post(delivery());

        assertThat(wakes).isZero();
        assertThat(mailbox.poll()).isNotNull();
    }

    @Test
    void onlyTheFirstExpectedSettlementWakesTheThread() {
        mailbox.expectSettlements();

        mailbox.post(delivery());
        mailbox.post(delivery());

        assertThat(wakes).isEqualTo(1);
    }

    @Test
    void capacityWakesTheThreadOnceIfItIsExpected() {
        mailbox.capacityAvailable();
        mailbox.expectCapacity();

        mailbox.capacityAvailable();
        mailbox.capacityAvailable();

        assertThat(wakes).isEqualTo(1);
    }

    @Test
    void nothingWakesTheThreadAfterItsWait() {
        mailbox.expectCapacity();
        mailbox.expectSettlements();

        mailbox.expectNothing();
        mailbox.capacityAvailable();
        mailbox.post(delivery());

        assertThat(wakes).isZero();
    }

    @Test
    void theThreadDoesNotWaitForASettlementThatHasArrived() {
        mailbox.post(delivery());
        assertThat(mailbox.maxWait(10)).isEqualTo(10);

        mailbox.expectSettlements();

        assertThat(mailbox.maxWait(10)).isZero();
    }

    private static OffsetDelivery delivery() {
        return new OffsetDelivery(TestRecords.message("in", 0, 0, null), null, null, false, false);
    }
}
