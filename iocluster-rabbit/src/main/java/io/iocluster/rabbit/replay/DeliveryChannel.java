package io.iocluster.rabbit.replay;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.rabbit.connection.ChannelProbe;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A channel that consumes one queue, and its unsettled deliveries. Confined to one thread; methods block. */
final class DeliveryChannel implements AutoCloseable {

    /** RabbitMQ 3.10 returns more than 32 messages of one request in any order. */
    private static final int MAX_REQUEUED_TOGETHER = 30;
    /**
     * While 32 requests of a channel are not applied, RabbitMQ collects further ones by consumer, and then sends those of the last
     * consumer first.
     */
    private static final int MAX_REQUESTS = 16;

    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

    private final Channel channel;
    private final String queue;
    private final Platform platform;
    private final BitSet unsettled = new BitSet();
    private int delivered;

    DeliveryChannel(Connection connection, String queue, Platform platform) throws IOException {
        this.channel = ChannelProbe.openChannel(connection);
        this.queue = queue;
        this.platform = platform;
    }

    Channel channel() {
        return channel;
    }

    /** Returns the number of deliveries, also the settled ones. */
    int delivered() {
        return delivered;
    }

    /** Adds a delivery. */
    void add(long tag) {
        unsettled.set((int) tag);
        delivered++;
    }

    void acknowledge(long tag) throws IOException {
        unsettled.clear((int) tag);
        channel.basicAck(tag, false);
    }

    /** Rejects a delivery. Without {@code requeue} it goes to the dead-letter target of the queue. */
    void reject(long tag, boolean requeue) throws IOException {
        unsettled.clear((int) tag);
        channel.basicReject(tag, requeue);
    }

    /**
     * Gives all unsettled messages back to the queue, in their order. The order is not certain while other clients publish to the queue or
     * consume it.
     */
    void requeueAll() throws IOException, InterruptedException {
        if (unsettled.isEmpty()) {
            return;
        }
        long ready = countReady();
        int together = 0;
        int requests = 0;
        boolean ordered = true;
        for (int tag = unsettled.nextSetBit(0); tag >= 0; tag = unsettled.nextSetBit(tag + 1)) {
            boolean last = unsettled.nextSetBit(tag + 1) < 0;
            together++;
            ready++;
            if (together == MAX_REQUEUED_TOGETHER || last) {
                channel.basicNack(tag, true, true);
                together = 0;
                // The first request waits for earlier acknowledgements to be applied. The last one waits because
                // another channel may read the queue next.
                if (ordered && (last || requests % MAX_REQUESTS == 0)) {
                    ordered = awaitReady(ready);
                }
                requests++;
            }
        }
        unsettled.clear();
    }

    private long countReady() throws IOException {
        return channel.queueDeclarePassive(queue).getMessageCount();
    }

    /** Waits until the broker has applied the requests. Returns false if it did not in time, for example because messages were consumed. */
    private boolean awaitReady(long messages) throws IOException, InterruptedException {
        long start = platform.nanos();
        while (countReady() < messages) {
            if (platform.nanos() - start > MAX_WAIT_NANOS) {
                return false;
            }
            platform.sleep(POLL_INTERVAL);
        }
        return true;
    }

    @Override
    public void close() {
        try {
            if (channel.isOpen()) {
                requeueAll();
                // The broker closes the channel after it has handled the requests before.
                channel.close();
            }
        } catch (IOException | TimeoutException | ShutdownSignalException gone) {
            // The broker returns the messages of a closed channel.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt(); // The end of the connection returns the messages.
        }
    }
}
