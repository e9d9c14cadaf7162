package io.iocluster.rabbit.ledger;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.rabbit.config.DelayedQueues;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The unacknowledged deliveries of one channel. A tag is valid on its channel only: when the channel is closed, the broker
 * redelivers the messages, and later settlements of the old deliveries are ignored. Confined to the source's loop, except
 * where a method says otherwise.
 */
public final class ChannelSession {

    private static final Logger LOG = LoggerFactory.getLogger(ChannelSession.class);

    private final TagLedger ledger = new TagLedger();
    private final TagLedger.AckChannel broker;
    private final String queue;
    private final SettlementQueue settlements;
    private final DelayedQueues delayed;

    public ChannelSession(
            TagLedger.AckChannel broker, String queue, SettlementQueue settlements, DelayedQueues delayed) {
        this.broker = broker;
        this.queue = queue;
        this.settlements = settlements;
        this.delayed = delayed;
    }

    public static ChannelSession forChannel(
            Channel channel, String queue, SettlementQueue settlements, DelayedQueues delayed) {
        return new ChannelSession(new OnChannel(channel), queue, settlements, delayed);
    }

    private record OnChannel(Channel channel) implements TagLedger.AckChannel {

        @Override
        public void acknowledge(long tag, boolean multiple) throws IOException {
            channel.basicAck(tag, multiple);
        }

        @Override
        public void requeue(long tag) throws IOException {
            channel.basicNack(tag, false, true);
        }
    }

    /** Returns the queue that the channel consumes. Any thread. */
    String queue() {
        return queue;
    }

    /** Returns what recognises delayed retries. Any thread. */
    DelayedQueues delayed() {
        return delayed;
    }

    /** Returns the queue for settled deliveries of this channel. Any thread. */
    SettlementQueue settlements() {
        return settlements;
    }

    public TagLedger ledger() {
        return ledger;
    }

    public void requeue(RabbitDelivery delivery) {
        try {
            ledger.requeue(delivery, broker);
        } catch (IOException | ShutdownSignalException gone) {
            LOG.debug("Requeue failed on a closed channel; the broker redelivers the message", gone);
        }
    }

    /**
     * Acknowledges the done deliveries from the lowest tag up to the first gap, and each one above that was done at least
     * {@code maxDelay} ago.
     *
     * @param maxDelay in nanoseconds
     */
    public void acknowledge(long now, long maxDelay) {
        try {
            ledger.acknowledge(now, maxDelay, broker);
        } catch (IOException | ShutdownSignalException gone) {
            LOG.debug("Acknowledgement failed on a closed channel; the broker redelivers the messages", gone);
        }
    }
}
