package io.iocluster.rabbit.ledger;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.connection.ContentId;
import io.iocluster.rabbit.connection.InspectedMessage;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Settlement;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * One message as one channel delivered it, which is its own settlement: settling posts it to the {@link SettlementQueue} of the source's
 * loop. What it inherits is confined to that loop.
 */
public final class RabbitDelivery extends TagLedger.TagEntry implements Delivery, Settlement {

    private static final String BROKERS_TIMESTAMP = "timestamp_in_ms";
    private static final String ATTEMPTS = "x-delivery-count";
    /** The header with the sender's {@code user_id} on a delayed retry, whose property names the node's user. */
    public static final String SENDER_USER_ID = "iocluster-user-id";

    private static final int MOST_COUNTED = 1_000;
    private static final VarHandle SETTLED;

    static {
        try {
            SETTLED = MethodHandles.lookup().findVarHandle(RabbitDelivery.class, "settled", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private static final int ACKNOWLEDGED = 1;
    private static final int RELEASED = 2;

    private final ChannelSession consumption;
    private final BasicProperties properties;
    private final byte[] body;
    private final boolean redelivered;
    private final int releases;
    private final long receivedMillis;
    private final InspectedMessage arrival;

    @SuppressWarnings("UnusedVariable") // through SETTLED
    private volatile int settled;

    public RabbitDelivery(
            ChannelSession consumption,
            long tag,
            BasicProperties properties,
            byte[] body,
            boolean redelivered,
            InspectedMessage arrival) {
        super(tag);
        this.consumption = consumption;
        this.properties = properties;
        this.body = body;
        this.redelivered = redelivered;
        this.releases = 0;
        this.receivedMillis = System.currentTimeMillis();
        this.arrival = arrival;
    }

    private RabbitDelivery(RabbitDelivery released) {
        super(released.tag());
        this.consumption = released.consumption;
        this.properties = released.properties;
        this.body = released.body;
        this.redelivered = released.redelivered;
        this.releases = released.releases + 1;
        this.receivedMillis = released.receivedMillis;
        this.arrival = released.arrival;
    }

    /** The same message, to be settled anew once this one was released. */
    public RabbitDelivery copyForRetry() {
        return new RabbitDelivery(this);
    }

    /** Where its tag means something. */
    public ChannelSession session() {
        return consumption;
    }

    public BasicProperties properties() {
        return properties;
    }

    /** How often it was handed out before, by the broker as far as that says, and since by this node. */
    public int earlierDeliveries() {
        if (!redelivered) {
            // The broker counts from the second delivery on; a count on the first delivery is the producer's.
            return releases;
        }
        Object counted = headers().get(ATTEMPTS);
        long earlier = counted instanceof Number number ? number.longValue() : 1;
        return releases + (int) Math.max(1, Math.min(MOST_COUNTED, earlier));
    }

    /** Once it is in the mailbox: which of the two it was. */
    public boolean isAcknowledged() {
        return (int) SETTLED.getAcquire(this) == ACKNOWLEDGED;
    }

    /** Since when it waits on the queue, as far as the message or else this node knows. */
    public long queuedSinceMillis() {
        long timestamp = timestampMillis();
        return timestamp < 0 ? receivedMillis : timestamp;
    }

    private Map<String, Object> headers() {
        Map<String, Object> headers = properties.getHeaders();
        return headers == null ? Map.of() : headers;
    }

    @Override
    public byte[] payload() {
        return body;
    }

    @Override
    public String problem() {
        return arrival.problem();
    }

    @Override
    public long heldBytes() {
        return arrival.reservedBytes();
    }

    @Override
    public String header(String name) {
        Object value = headers().get(name);
        if (value instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        return value == null ? null : value.toString();
    }

    @Override
    public String correlationId() {
        return properties.getCorrelationId();
    }

    @Override
    public String replyTo() {
        return properties.getReplyTo();
    }

    /** RabbitMQ numbers no message, so that its own id or else its content has to serve. */
    @Override
    public String coordinates() {
        String id = properties.getMessageId();
        return consumption.queue() + "/" + (id == null || id.isEmpty() ? ContentId.of(properties, body) : id);
    }

    @Override
    public String queue() {
        return consumption.queue();
    }

    /** Returns the user that published the request, checked by the broker; null if the sender did not set it. */
    public String userId() {
        return isDelayedRetry() ? header(SENDER_USER_ID) : properties.getUserId();
    }

    @Override
    public boolean isDelayedRetry() {
        return consumption.delayed().isDelayedRetry(properties);
    }

    /** AMQP counts seconds: of the one that it names the end is taken, lest a deadline pass too early. */
    @Override
    @SuppressWarnings("JavaUtilDate") // The client knows no other.
    public long timestampMillis() {
        if (headers().get(BROKERS_TIMESTAMP) instanceof Number exact) {
            return exact.longValue();
        }
        return properties.getTimestamp() == null
                ? -1
                : Math.min(receivedMillis, properties.getTimestamp().getTime() + 999);
    }

    @Override
    public long timeToLiveMillis() {
        String expiration = properties.getExpiration();
        // With 0 it lives for as long as somebody takes it at once, which was done.
        return expiration != null && expiration.matches("[1-9]\\d{0,12}") ? Long.parseLong(expiration) : -1;
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
            consumption.mailbox().post(this);
        } else {
            consumption.mailbox().recordDuplicateSettlement();
        }
    }

    @Override
    public String toString() {
        return coordinates();
    }
}
