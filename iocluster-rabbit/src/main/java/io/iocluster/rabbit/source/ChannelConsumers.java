package io.iocluster.rabbit.source;

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
 * The consumers of one channel. The prefetch of a consumer never changes: a larger total needs one more consumer, a smaller one
 * replaces all consumers. Unacknowledged deliveries of cancelled consumers stay with the channel and count. Confined to the
 * link's thread, except for what the channel calls.
 */
final class ChannelConsumers {

    /** Most consumers that are added before all are replaced. */
    private static final int MOST_ADDED = 4;

    /** The smallest share of the prefetch for which a consumer is added. */
    private static final int LEAST_SHARE = 4;

    private final Channel channel;
    private final String queue;
    private final SourceLoop source;
    private final DefaultConsumer callbacks;
    private final Set<String> tags = new HashSet<>();
    private final Set<String> lost = ConcurrentHashMap.newKeySet();
    /** The sum of the consumers' prefetch. */
    private int live;

    /** Takes what is delivered, on the loop. */
    @FunctionalInterface
    interface DeliveryHandler {
        void handle(long tag, boolean again, BasicProperties properties, byte[] body);
    }

    /**
     * None yet.
     *
     * @param source counts the deliveries of cancelled consumers
     * @param cancelled run, on the loop, when the broker took a consumer away
     */
    ChannelConsumers(Channel channel, String queue, DeliveryHandler taker, SourceLoop source, Runnable cancelled) {
        this.channel = channel;
        this.queue = queue;
        this.source = source;
        this.callbacks = new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
                taker.handle(envelope.getDeliveryTag(), envelope.isRedeliver(), properties, body);
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

    /** Whether the broker took one away since the last {@link #adjustPrefetch}, as it does when the queue goes. */
    boolean hasLostConsumers() {
        return !lost.isEmpty();
    }

    /**
     * Moves towards this prefetch. The prefetch of the live consumers plus the unacknowledged deliveries of cancelled consumers
     * stays within the limit.
     */
    void adjustPrefetch(Prefetch.PrefetchTarget wanted) throws IOException {
        boolean tooMany = tags.size() > Prefetch.split(wanted.target()).size() + MOST_ADDED;
        if (wanted.target() < live || !lost.isEmpty() || tooMany) {
            cancelAll();
        }
        int goal = Math.min(wanted.target(), wanted.max() - source.unacknowledgedOfCancelled());
        boolean worthIt = goal == wanted.target() || goal - live >= wanted.target() / LEAST_SHARE;
        if (goal > live && worthIt) {
            for (int part : Prefetch.split(goal - live)) {
                channel.basicQos(part);
                tags.add(channel.basicConsume(queue, false, "iocluster-" + UUID.randomUUID(), callbacks));
                live += part;
            }
        }
    }

    /** Returns the most unacknowledged deliveries that the consumers allow; 0 if nothing consumes. */
    int maxUnacknowledged() {
        return live == 0 ? 0 : live + source.unacknowledgedOfCancelled();
    }

    private void cancelAll() throws IOException {
        tags.removeAll(lost);
        lost.clear();
        for (String tag : Set.copyOf(tags)) {
            cancel(tag);
        }
        live = 0;
        source.countAllAsCancelled();
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
