package io.iocluster.rabbit.source;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The consumers of one channel. Confined to the supervisor's thread, except for the callbacks, which run on the loop. The
 * prefetch of a consumer never changes: a larger total needs one more consumer, a smaller one replaces all consumers.
 * Unacknowledged deliveries of cancelled consumers stay with the channel and count towards the limit.
 */
final class ChannelConsumers {

    /** Maximum number of added consumers before all are replaced. */
    private static final int MAX_ADDED = 4;

    /** A consumer is added only for at least this part of the prefetch: a quarter. */
    private static final int MIN_SHARE_DIVISOR = 4;

    private final Channel channel;
    private final String queue;
    private final SourceLoop source;
    private final Platform platform;
    private final DefaultConsumer callbacks;
    /** In the order of their creation, so that a simulation repeats. */
    private final Set<String> tags = new LinkedHashSet<>();

    private final Set<String> lost = ConcurrentHashMap.newKeySet();
    /** The sum of the live consumers' prefetch. */
    private int livePrefetch;

    /** Handles a delivery, on the loop. */
    @FunctionalInterface
    interface DeliveryHandler {
        void handle(long tag, boolean redelivered, BasicProperties properties, byte[] body);
    }

    /**
     * Creates no consumer yet.
     *
     * @param source counts the deliveries of cancelled consumers
     * @param cancelled runs on the loop after the broker has cancelled a consumer
     */
    ChannelConsumers(
            Channel channel,
            String queue,
            DeliveryHandler handler,
            SourceLoop source,
            Runnable cancelled,
            Platform platform) {
        this.channel = channel;
        this.queue = queue;
        this.source = source;
        this.platform = platform;
        this.callbacks = new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
                handler.handle(envelope.getDeliveryTag(), envelope.isRedeliver(), properties, body);
            }

            @Override
            public void handleCancel(String tag) {
                lost.add(tag);
                cancelled.run();
            }
        };
        // The ledger must know every tag, also those delivered after a cancel.
        channel.setDefaultConsumer(callbacks);
    }

    /** Returns whether the broker cancelled a consumer since the last {@link #adjustPrefetch}, for example with its queue. */
    boolean hasLostConsumers() {
        return !lost.isEmpty();
    }

    /**
     * Moves towards the wanted prefetch. The prefetch of the live consumers plus the unacknowledged deliveries of cancelled consumers
     * stays within the limit.
     */
    void adjustPrefetch(Prefetch.PrefetchTarget wanted) throws IOException {
        boolean tooMany = tags.size() > Prefetch.split(wanted.target()).size() + MAX_ADDED;
        if (wanted.target() < livePrefetch || !lost.isEmpty() || tooMany) {
            cancelAll();
        }
        int reachable = Math.min(wanted.target(), wanted.max() - source.unacknowledgedOfCancelled());
        boolean isWorthwhile =
                reachable == wanted.target() || reachable - livePrefetch >= wanted.target() / MIN_SHARE_DIVISOR;
        if (reachable > livePrefetch && isWorthwhile) {
            for (int prefetch : Prefetch.split(reachable - livePrefetch)) {
                channel.basicQos(prefetch);
                tags.add(channel.basicConsume(queue, false, "iocluster-" + platform.uniqueId(), callbacks));
                livePrefetch += prefetch;
            }
        }
    }

    /** Returns the most unacknowledged deliveries that the consumers allow; 0 if nothing consumes. */
    int maxUnacknowledged() {
        return livePrefetch == 0 ? 0 : livePrefetch + source.unacknowledgedOfCancelled();
    }

    private void cancelAll() throws IOException {
        tags.removeAll(lost);
        lost.clear();
        for (String tag : List.copyOf(tags)) {
            cancel(tag);
        }
        livePrefetch = 0;
        source.countAllAsCancelled();
    }

    private void cancel(String tag) throws IOException {
        tags.remove(tag);
        try {
            channel.basicCancel(tag);
        } catch (IOException e) {
            // The broker may already have cancelled it.
            if (!lost.remove(tag)) {
                throw e;
            }
        }
    }
}
