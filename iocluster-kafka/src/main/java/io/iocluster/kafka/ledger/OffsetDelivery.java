package io.iocluster.kafka.ledger;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record of an assigned partition. Settling posts it to the {@link PollThreadMailbox}, on any thread. The non-private
 * instance fields are confined to the poll thread.
 */
public final class OffsetDelivery extends KafkaDelivery {

    private static final VarHandle CLAIM;

    static {
        try {
            CLAIM = MethodHandles.lookup().findVarHandle(OffsetDelivery.class, "claim", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private static final int STARTED = 1;
    private static final int WITHDRAWN = 2;

    private final PollThreadMailbox<OffsetDelivery> mailbox;

    @SuppressWarnings("UnusedVariable") // accessed through CLAIM
    private volatile int claim;

    /** The assignment that it is settled in. Changes if the partition is revoked and assigned again. */
    public KafkaPartition partition;

    /** The key lane that it holds or waits in; null if there is none. */
    KeyLanes.KeyLane lane;

    /** Whether the intake accepted it. */
    boolean accepted;

    /** Previous delivery in {@link InFlightDeliveries}. */
    OffsetDelivery previous;

    /** Next delivery in {@link InFlightDeliveries}. */
    OffsetDelivery next;

    /**
     * Creates the delivery of a record.
     *
     * @param delayedRetry whether the record was read from the topic of due retries
     * @param redelivered whether this node has read the record before
     */
    public OffsetDelivery(
            ConsumerRecord<byte[], byte[]> message,
            KafkaPartition partition,
            PollThreadMailbox<OffsetDelivery> mailbox,
            boolean delayedRetry,
            boolean redelivered) {
        super(message, delayedRetry, redelivered);
        this.partition = partition;
        this.mailbox = mailbox;
    }

    @Override
    public boolean claim() {
        return CLAIM.compareAndSet(this, 0, STARTED) || (int) CLAIM.getAcquire(this) == STARTED;
    }

    /**
     * Withdraws the message from the pipeline unless its call has started. Returns whether the call will not be made.
     */
    boolean withdraw() {
        return CLAIM.compareAndSet(this, 0, WITHDRAWN);
    }

    public boolean isWithdrawn() {
        return (int) CLAIM.getAcquire(this) == WITHDRAWN;
    }

    @Override
    protected void settled() {
        mailbox.post(this);
    }

    @Override
    protected void settledAgain() {
        mailbox.recordDuplicateSettlement();
    }
}
