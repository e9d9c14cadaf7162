package io.iocluster.kafka.share;

import io.iocluster.kafka.ledger.KafkaDelivery;
import io.iocluster.thread.NodeClock;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A record that a member of the share group has locked. Settling tells that member, on any thread. Thread-safe. */
final class ShareDelivery extends KafkaDelivery {

    private final Consumer<ShareDelivery> settled;
    private final Runnable settledAgain;
    private final NodeClock clock;
    private final int deliveries;
    private final int deadLetterAt;
    private volatile long lockedUntil;
    private volatile boolean started;
    private volatile boolean withdrawn;

    /**
     * Creates the delivery of a record.
     *
     * @param settled receives the delivery when it is settled or withdrawn
     * @param settledAgain called for each further settlement
     * @param deadLetterAt number of deliveries from which it becomes a dead letter
     * @param lockedUntil monotonic nanoseconds at which the lock ends
     * @param again whether this node has offered the record before
     */
    ShareDelivery(
            ConsumerRecord<byte[], byte[]> message,
            Consumer<ShareDelivery> settled,
            Runnable settledAgain,
            int deadLetterAt,
            long lockedUntil,
            boolean delayedRetry,
            boolean again,
            NodeClock clock) {
        super(message, delayedRetry, again || deliveries(message) > 1);
        this.settled = settled;
        this.settledAgain = settledAgain;
        this.deliveries = deliveries(message);
        this.deadLetterAt = deadLetterAt;
        this.lockedUntil = lockedUntil;
        this.clock = clock;
    }

    private static int deliveries(ConsumerRecord<?, ?> message) {
        return message.deliveryCount().orElse((short) 1);
    }

    /** Returns a delivery of the same record that has not been offered. */
    ShareDelivery again() {
        return new ShareDelivery(
                message(), settled, settledAgain, deadLetterAt, lockedUntil, isDelayedRetry(), true, clock);
    }

    /** Returns how often the broker has delivered the record, this time included. */
    int deliveries() {
        return deliveries;
    }

    @Override
    public boolean isDeliveryLimitReached() {
        return deliveries >= deadLetterAt;
    }

    @Override
    public String problem() {
        String unread = super.problem();
        return unread != null || !isDeliveryLimitReached()
                ? unread
                : "the message was delivered " + deliveries + " times without an answer, and the broker discards it"
                        + " soon (share.delivery.count.limit)";
    }

    /** Extends or ends the lock. */
    void setLockedUntil(long nanos) {
        lockedUntil = nanos;
    }

    /** Returns whether the lock has ended. */
    boolean isLost(long now) {
        return now - lockedUntil >= 0;
    }

    /** Returns false if the lock has ended before the first claim, because the broker gives the record to others. */
    @Override
    public boolean claim() {
        if (!started && !isLost(clock.nanos())) {
            started = true;
        }
        return started;
    }

    /** Gives the delivery back, because the intake has not accepted it and the source offers no more. */
    void withdraw() {
        withdrawn = true;
        release();
    }

    /** Returns whether it was given back without being offered to a call. Valid after {@link #settled}. */
    boolean isWithdrawn() {
        return withdrawn;
    }

    @Override
    protected void settled() {
        settled.accept(this);
    }

    @Override
    protected void settledAgain() {
        settledAgain.run();
    }
}
