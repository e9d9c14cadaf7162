package io.iocluster.rabbit.source;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.config.DelayedQueues;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.ChannelProbe;
import io.iocluster.rabbit.connection.ConnectionSupervisor;
import io.iocluster.rabbit.connection.DeliveryLimitCheck;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.FailureText;
import io.iocluster.rabbit.connection.InboundGuard;
import io.iocluster.rabbit.connection.Topology;
import io.iocluster.rabbit.ledger.ChannelSession;
import java.io.IOException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What of the source waits for the broker: the queues verified or declared on each new connection, a channel, and on it consumers
 * with the prefetch that is wanted now. Confined to the link's thread.
 */
final class SourceChannel implements ConnectionSupervisor.Attachment {

    private static final Logger LOG = LoggerFactory.getLogger(SourceChannel.class);

    private final String queue;
    private final DelayedQueues delayed;
    private final Topology topology;
    private final DeliveryLimitCheck poison;
    private final EventLoopThread loop;
    private final SourceLoop source;
    private final Supplier<Prefetch.PrefetchTarget> wanted;
    private final Supplier<QueueLengthMonitor.QueueDepth> length;
    private final long stallNanos;
    private final Runnable nudge;
    private boolean poisonChecked;
    private Connection connection;
    private Channel channel;
    private ChannelSession consumption;
    private ChannelConsumers consumers;
    private InboundGuard guard;
    private StallDetector stall;

    /**
     * Not attached yet.
     *
     * @param topology what has to be there
     * @param wanted the prefetch as it should be now; 0 while nothing is to be read
     * @param length the queue as the broker last described it
     * @param nudge has it tended soon; for any thread
     */
    SourceChannel(
            RabbitSettings settings,
            Topology topology,
            EventLoopThread loop,
            SourceLoop source,
            Supplier<Prefetch.PrefetchTarget> wanted,
            Supplier<QueueLengthMonitor.QueueDepth> length,
            Runnable nudge) {
        this.queue = settings.requests().queue();
        this.delayed = new DelayedQueues(settings);
        this.topology = topology;
        this.poison = new DeliveryLimitCheck(settings);
        this.loop = loop;
        this.source = source;
        this.wanted = wanted;
        this.length = length;
        this.stallNanos = settings.requests().stallTimeout().toNanos();
        this.nudge = nudge;
    }

    @Override
    public InboundGuard newInboundGuard() {
        guard = source.newGuard();
        return guard;
    }

    @Override
    public void attach(Connection fresh) throws IOException {
        connection = fresh;
        topology.verifyOrDeclare(fresh);
        warnOfPoison();
        channel = ChannelProbe.openChannel(fresh);
        channel.addShutdownListener(cause -> nudge.run());
        InboundGuard arrivals = guard;
        ChannelSession begun = ChannelSession.forChannel(channel, queue, source.mailbox(), delayed);
        consumption = begun;
        loop.execute(() -> source.channelOpened(begun));
        stall = new StallDetector(stallNanos, System.nanoTime());
        consumers = new ChannelConsumers(
                channel,
                queue,
                (tag, again, properties, body) ->
                        source.delivered(begun, again, properties, body, arrivals.takeInspected(tag)),
                source,
                nudge);
        maintain();
    }

    private void warnOfPoison() throws IOException {
        if (poisonChecked) {
            return;
        }
        String warning = poison.warning(connection);
        if (warning != null) {
            LOG.warn("The queue {} {}", queue, warning);
        }
        poisonChecked = true;
    }

    @Override
    public void maintain() throws IOException {
        if (!channel.isOpen()) {
            throw new IOException(FailureText.of(channel.getCloseReason()));
        }
        if (consumers.hasLostConsumers()) {
            topology.verifyOrDeclare(connection);
        }
        Prefetch.PrefetchTarget prefetch = wanted.get();
        consumers.adjustPrefetch(prefetch);
        if (prefetch.target() == 0) {
            loop.execute(source::requeueBuffered);
        }
        if (stall.detect(source.snapshot(), consumers.maxUnacknowledged(), length.get(), System.nanoTime())) {
            throw new IOException("nothing is delivered though messages are ready and the prefetch has room");
        }
    }

    @Override
    public void detach() {
        ChannelSession gone = consumption;
        consumption = null;
        if (gone != null) {
            loop.execute(() -> source.channelClosed(gone));
        }
    }
}
