package io.iocluster.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The consumers of one channel: as many as the prefetch needs. A prefetch that changes needs other consumers, for a consumer keeps
 * the one it began with; what is not acknowledged stays with the channel. Confined to the link's thread but for what the channel
 * calls.
 */
final class Consumers {

    private final Channel channel;
    private final String queue;
    private final DefaultConsumer callbacks;
    private final Set<String> tags = new HashSet<>();
    private final Set<String> lost = ConcurrentHashMap.newKeySet();
    private int prefetch;

    /** Takes what is delivered, on the loop. */
    @FunctionalInterface
    interface Taker {
        void delivered(long tag, boolean again, BasicProperties properties, byte[] body);
    }

    /**
     * None yet.
     *
     * @param cancelled run, on the loop, when the broker took a consumer away
     */
    Consumers(Channel channel, String queue, Taker taker, Runnable cancelled) {
        this.channel = channel;
        this.queue = queue;
        this.callbacks = new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
                taker.delivered(envelope.getDeliveryTag(), envelope.isRedeliver(), properties, body);
            }

            @Override
            public void handleCancel(String tag) {
                lost.add(tag);
                cancelled.run();
            }
        };
        // Whatever the channel delivers has a tag, and each tag must be known.
        channel.setDefaultConsumer(callbacks);
    }

    /** Whether the broker took one away since the last {@link #adjust}, as it does when the queue goes. */
    boolean wereCancelled() {
        return !lost.isEmpty();
    }

    /** Consumes with this prefetch from now on; with 0 not at all. */
    void adjust(int wanted) throws IOException {
        if (wanted == prefetch && lost.isEmpty()) {
            return;
        }
        tags.removeAll(lost);
        lost.clear();
        for (String tag : Set.copyOf(tags)) {
            cancel(tag);
        }
        prefetch = wanted;
        for (int part : Prefetch.split(wanted)) {
            channel.basicQos(part);
            tags.add(channel.basicConsume(queue, false, "iocluster-" + UUID.randomUUID(), callbacks));
        }
    }

    private void cancel(String tag) throws IOException {
        tags.remove(tag);
        try {
            channel.basicCancel(tag);
        } catch (IOException e) {
            // The broker may have been faster, and then there is nothing to cancel.
            if (!lost.remove(tag)) {
                throw e;
            }
        }
    }
}
