package io.iocluster.kafka.ledger;

import io.iocluster.kafka.config.BoundedBytesDeserializer;
import io.iocluster.kafka.config.RecordSize;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Settlement;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * One record and its settlement. Settling posts it to the {@link PollThreadMailbox}, on any thread. The non-private
 * instance fields are confined to the poll thread.
 */
public final class KafkaDelivery implements Delivery, Settlement {

    private static final byte[] NO_PAYLOAD = {};
    private static final VarHandle SETTLED;
    private static final VarHandle CLAIM;

    static {
        try {
            SETTLED = MethodHandles.lookup().findVarHandle(KafkaDelivery.class, "settled", int.class);
            CLAIM = MethodHandles.lookup().findVarHandle(KafkaDelivery.class, "claim", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private static final int ACKNOWLEDGED = 1;
    private static final int RELEASED = 2;

    private static final int STARTED = 1;
    private static final int WITHDRAWN = 2;

    private final ConsumerRecord<byte[], byte[]> message;
    private final PollThreadMailbox mailbox;
    private final long heldBytes;
    private final String problem;
    private final boolean delayedRetry;
    private final boolean redelivered;

    @SuppressWarnings("UnusedVariable") // accessed through SETTLED
    private volatile int settled;

    @SuppressWarnings("UnusedVariable") // accessed through CLAIM
    private volatile int claim;

    /** The assignment that it is settled in. Changes if the partition is revoked and assigned again. */
    public KafkaPartition partition;

    /** The key lane that it holds or waits in; null if there is none. */
    KeyLanes.KeyLane lane;

    /** Whether the intake accepted it. */
    boolean accepted;

    /** Previous delivery in {@link InFlightDeliveries}. */
    KafkaDelivery previous;

    /** Next delivery in {@link InFlightDeliveries}. */
    KafkaDelivery next;

    /**
     * Creates the delivery of a record.
     *
     * @param delayedRetry whether the record was read from the topic of due retries
     * @param redelivered whether this node has read the record before
     */
    public KafkaDelivery(
            ConsumerRecord<byte[], byte[]> message,
            KafkaPartition partition,
            PollThreadMailbox mailbox,
            boolean delayedRetry,
            boolean redelivered) {
        this.delayedRetry = delayedRetry;
        this.redelivered = redelivered;
        this.message = message;
        this.partition = partition;
        this.mailbox = mailbox;
        this.heldBytes = RecordSize.of(message);
        this.problem = BoundedBytesDeserializer.problem(message);
    }

    @Override
    public boolean isRedelivered() {
        return redelivered;
    }

    public ConsumerRecord<byte[], byte[]> message() {
        return message;
    }

    public long offset() {
        return message.offset();
    }

    /** Returns whether it was acknowledged; false if it was released. Valid after it was posted to the mailbox. */
    boolean isAcknowledged() {
        return (int) SETTLED.getAcquire(this) == ACKNOWLEDGED;
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
    public byte[] payload() {
        byte[] value = message.value();
        return value == null ? NO_PAYLOAD : value;
    }

    @Override
    public String problem() {
        return problem;
    }

    @Override
    public long heldBytes() {
        return heldBytes;
    }

    @Override
    public String header(String name) {
        Header header = message.headers().lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    @Override
    public String correlationId() {
        return null;
    }

    @Override
    public String replyTo() {
        return null;
    }

    @Override
    public String coordinates() {
        return coordinates(message);
    }

    /** Returns the position of a record: topic, partition and offset. */
    public static String coordinates(ConsumerRecord<?, ?> message) {
        return message.topic() + "/" + message.partition() + "/" + message.offset();
    }

    @Override
    public String queue() {
        return message.topic();
    }

    @Override
    public boolean isDelayedRetry() {
        return delayedRetry;
    }

    @Override
    public long timestampMillis() {
        return message.timestamp();
    }

    @Override
    public Settlement settlement() {
        return this;
    }

    @Override
    public void acknowledge() {
        settle(ACKNOWLEDGED);
    }

    @Override
    public void release() {
        settle(RELEASED);
    }

    private void settle(int how) {
        if (SETTLED.compareAndSet(this, 0, how)) {
            mailbox.post(this);
        } else {
            mailbox.recordDuplicateSettlement();
        }
    }

    @Override
    public String toString() {
        return coordinates();
    }
}
