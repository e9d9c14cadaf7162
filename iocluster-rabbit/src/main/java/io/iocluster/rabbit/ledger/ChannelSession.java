package io.iocluster.rabbit.ledger;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.rabbit.config.DelayedQueues;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one channel delivered and the broker waits for. A tag means something on its channel alone: when that is gone the broker
 * hands the messages out again, and what is settled late is nobody's. Confined to the source's loop but for its fixed parts.
 */
public final class ChannelSession {

    private static final Logger LOG = LoggerFactory.getLogger(ChannelSession.class);

    private final TagLedger ledger = new TagLedger();
    private final TagLedger.AckChannel broker;
    private final String queue;
    private final SettlementQueue mailbox;
    private final DelayedQueues delayed;

    public ChannelSession(TagLedger.AckChannel broker, String queue, SettlementQueue mailbox, DelayedQueues delayed) {
        this.broker = broker;
        this.queue = queue;
        this.mailbox = mailbox;
        this.delayed = delayed;
    }

    public static ChannelSession forChannel(
            Channel channel, String queue, SettlementQueue mailbox, DelayedQueues delayed) {
        return new ChannelSession(new OnChannel(channel), queue, mailbox, delayed);
    }

    private record OnChannel(Channel channel) implements TagLedger.AckChannel {

        @Override
        public void acknowledge(long tag, boolean withAllBelow) throws IOException {
            channel.basicAck(tag, withAllBelow);
        }

        @Override
        public void requeue(long tag) throws IOException {
            channel.basicNack(tag, false, true);
        }
    }

    /** What it reads. Any thread. */
    String queue() {
        return queue;
    }

    /** Recognises messages that return from the queues of delayed retries. Any thread. */
    DelayedQueues delayed() {
        return delayed;
    }

    /** Where its deliveries are posted when they are settled. Any thread. */
    SettlementQueue mailbox() {
        return mailbox;
    }

    public TagLedger ledger() {
        return ledger;
    }

    public void requeue(RabbitDelivery delivery) {
        try {
            ledger.requeue(delivery, broker);
        } catch (IOException | ShutdownSignalException gone) {
            LOG.debug("The channel is gone, and the broker hands it out again", gone);
        }
    }

    /** Acknowledges what is done from the lowest up, and of the rest what was done so long ago. */
    public void acknowledge(long now, long patience) {
        try {
            ledger.acknowledge(now, patience, broker);
        } catch (IOException | ShutdownSignalException gone) {
            LOG.debug("The channel is gone, and what was done last is repeated", gone);
        }
    }
}
