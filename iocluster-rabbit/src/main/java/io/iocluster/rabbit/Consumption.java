package io.iocluster.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one channel delivered and the broker waits for. A tag means something on its channel alone: when that is gone the broker
 * hands the messages out again, and what is settled late is nobody's. Confined to the source's loop but for its fixed parts.
 */
final class Consumption {

    private static final Logger LOG = LoggerFactory.getLogger(Consumption.class);

    private final TagLedger ledger = new TagLedger();
    private final TagLedger.Broker broker;
    private final String queue;
    private final Mailbox mailbox;
    private final DelayedQueues delayed;

    Consumption(TagLedger.Broker broker, String queue, Mailbox mailbox, DelayedQueues delayed) {
        this.broker = broker;
        this.queue = queue;
        this.mailbox = mailbox;
        this.delayed = delayed;
    }

    static Consumption on(Channel channel, String queue, Mailbox mailbox, DelayedQueues delayed) {
        return new Consumption(new OnChannel(channel), queue, mailbox, delayed);
    }

    private record OnChannel(Channel channel) implements TagLedger.Broker {

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
    Mailbox mailbox() {
        return mailbox;
    }

    TagLedger ledger() {
        return ledger;
    }

    void requeue(RabbitDelivery delivery) {
        try {
            ledger.requeue(delivery, broker);
        } catch (IOException | ShutdownSignalException gone) {
            LOG.debug("The channel is gone, and the broker hands it out again", gone);
        }
    }

    /** Acknowledges what is done from the lowest up, and of the rest what was done so long ago. */
    void acknowledge(long now, long patience) {
        try {
            ledger.acknowledge(now, patience, broker);
        } catch (IOException | ShutdownSignalException gone) {
            LOG.debug("The channel is gone, and what was done last is repeated", gone);
        }
    }
}
