package io.iocluster.rabbit.sink;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import java.util.List;

/**
 * Finds the message that makes the broker close a channel: the messages of such a channel are published one at a time on the next one.
 * Confined to the publisher's loop.
 */
final class PoisonMessageSearch {

    /** How many of the next messages are published one at a time. */
    private int left;

    boolean isRunning() {
        return left > 0;
    }

    /** Records that the broker has settled one of them. */
    void settled() {
        left--;
    }

    /**
     * Records a closed channel. Refuses its message if that is the only one, and removes it from the list.
     *
     * @param unsettled the messages that the broker had not settled
     * @param reason why the broker closed the channel, or null
     */
    void channelClosed(List<PendingPublish> unsettled, Method reason) {
        if (!(reason instanceof AMQP.Channel.Close)) {
            return;
        }
        if (unsettled.size() == 1) {
            unsettled.remove(0).refuse(reason);
            left = Math.max(0, left - 1);
        } else {
            left = unsettled.size();
        }
    }
}
