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
 * One delivery of one channel, and its own settlement: settling posts it to the {@link SettlementQueue} of the source's loop.
 * Thread-safe, except for the inherited state, which is confined to that loop.
 */
public final class RabbitDelivery extends TagLedger.TagEntry implements Delivery, Settlement {

    private static final String BROKER_TIMESTAMP = "timestamp_in_ms";
    private static final String DELIVERY_COUNT = "x-delivery-count";
    /** The header with the sender's {@code user_id} on a delayed retry, whose property names the node's user. */
    public static final String SENDER_USER_ID = "iocluster-user-id";

    private static final int MAX_DELIVERIES = 1_000;
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

    private final ChannelSession session;
    private final BasicProperties properties;
    private final byte[] body;
    private final boolean redelivered;
    private final int releases;
    private final long receivedMillis;
    private final InspectedMessage inspected;

    @SuppressWarnings("UnusedVariable") // through SETTLED
    private volatile int settled;

    /** @param receivedMillis the time of receipt, in milliseconds since the epoch */
    public RabbitDelivery(
            ChannelSession session,
            long tag,
            BasicProperties properties,
            byte[] body,
            boolean redelivered,
            long receivedMillis,
            InspectedMessage inspected) {
        super(tag);
        this.session = session;
        this.properties = properties;
        this.body = body;
        this.redelivered = redelivered;
        this.releases = 0;
        this.receivedMillis = receivedMillis;
        this.inspected = inspected;
    }

    private RabbitDelivery(RabbitDelivery released) {
        super(released.tag());
        this.session = released.session;
        this.properties = released.properties;
        this.body = released.body;
        this.redelivered = released.redelivered;
        this.releases = released.releases + 1;
        this.receivedMillis = released.receivedMillis;
        this.inspected = released.inspected;
    }

    /** Returns a delivery of the same message and tag that can be settled, after this one was released. */
    public RabbitDelivery copyForRetry() {
        return new RabbitDelivery(this);
    }

    /** Returns the session in which the tag is valid. */
    public ChannelSession session() {
        return session;
    }

    public BasicProperties properties() {
        return properties;
    }

    /** Returns how often the message was delivered before: by the broker, if it counts, plus retries in this node. */
    public int earlierDeliveries() {
        if (!redelivered) {
            // The broker counts from the second delivery on. On the first delivery the producer wrote the header.
            return releases;
        }
        Object counted = headers().get(DELIVERY_COUNT);
        long earlier = counted instanceof Number number ? number.longValue() : 1;
        return releases + (int) Math.max(1, Math.min(MAX_DELIVERIES, earlier));
    }

    @Override
    public boolean isRedelivered() {
        return redelivered || releases > 0;
    }

    /** Returns whether it was acknowledged rather than released. Valid once it is in the settlement queue. */
    public boolean isAcknowledged() {
        return (int) SETTLED.getAcquire(this) == ACKNOWLEDGED;
    }

    /** Returns the message's timestamp, or the time of receipt if it has none, in milliseconds since the epoch. */
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
        return inspected.problem();
    }

    @Override
    public long heldBytes() {
        return inspected.reservedBytes();
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
    public boolean hasIgnoredProperty() {
        return inspected.hasIgnoredProperty();
    }

    @Override
    public String correlationId() {
        return properties.getCorrelationId();
    }

    /** Returns the property {@code reply_to}; null if it is missing or empty, because some clients always set it. */
    @Override
    public String replyTo() {
        String queue = properties.getReplyTo();
        return queue == null || queue.isEmpty() ? null : queue;
    }

    /** Returns the queue and the message id, or a hash of the content because RabbitMQ assigns no ids. */
    @Override
    public String coordinates() {
        String id = properties.getMessageId();
        return session.queue() + "/" + (id == null || id.isEmpty() ? ContentId.of(properties, body) : id);
    }

    @Override
    public String queue() {
        return session.queue();
    }

    /** Returns the user that published the request, checked by the broker; null if the sender did not set it. */
    public String userId() {
        return isDelayedRetry() ? header(SENDER_USER_ID) : properties.getUserId();
    }

    @Override
    public boolean isDelayedRetry() {
        return session.delayed().isDelayedRetry(properties);
    }

    /**
     * Returns the end of the second that AMQP's timestamp names, so that no deadline passes too early; the time of receipt if that is
     * earlier and in this second.
     */
    @Override
    @SuppressWarnings("JavaUtilDate") // The client's API uses Date.
    public long timestampMillis() {
        if (headers().get(BROKER_TIMESTAMP) instanceof Number exact) {
            return exact.longValue();
        }
        if (properties.getTimestamp() == null) {
            return -1;
        }
        long second = properties.getTimestamp().getTime();
        return Math.max(second, Math.min(receivedMillis, second + 999));
    }

    @Override
    public long timeToLiveMillis() {
        String expiration = properties.getExpiration();
        // An expiration of 0 means immediate delivery, which has happened.
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

    private void settle(int outcome) {
        if (SETTLED.compareAndSet(this, 0, outcome)) {
            session.settlements().post(this);
        } else {
            session.settlements().recordDuplicateSettlement();
        }
    }

    @Override
    public String toString() {
        return coordinates();
    }
}
