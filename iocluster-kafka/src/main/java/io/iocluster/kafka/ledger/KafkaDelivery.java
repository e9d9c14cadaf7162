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

/** One record and its settlement, which any thread may call. Thread-safe. */
public abstract class KafkaDelivery implements Delivery, Settlement {

    private static final byte[] NO_PAYLOAD = {};
    private static final VarHandle SETTLED;

    static {
        try {
            SETTLED = MethodHandles.lookup().findVarHandle(KafkaDelivery.class, "settled", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private static final int ACKNOWLEDGED = 1;
    private static final int RELEASED = 2;

    private final ConsumerRecord<byte[], byte[]> message;
    private final long heldBytes;
    private final String problem;
    private final boolean delayedRetry;
    private final boolean redelivered;

    @SuppressWarnings("UnusedVariable") // accessed through SETTLED
    private volatile int settled;

    /**
     * Creates the delivery of a record.
     *
     * @param delayedRetry whether the record was read from the topic of due retries
     * @param redelivered whether this node has read the record before
     */
    protected KafkaDelivery(ConsumerRecord<byte[], byte[]> message, boolean delayedRetry, boolean redelivered) {
        this.delayedRetry = delayedRetry;
        this.redelivered = redelivered;
        this.message = message;
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

    /** Returns whether it was acknowledged; false if it was released. Valid after {@link #settled}. */
    public boolean isAcknowledged() {
        return (int) SETTLED.getAcquire(this) == ACKNOWLEDGED;
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

    /** Called once, on the thread that settles it. */
    protected abstract void settled();

    /** Called for each further settlement, which has no effect. */
    protected abstract void settledAgain();

    private void settle(int how) {
        if (SETTLED.compareAndSet(this, 0, how)) {
            settled();
        } else {
            settledAgain();
        }
    }

    @Override
    public String toString() {
        return coordinates();
    }
}
