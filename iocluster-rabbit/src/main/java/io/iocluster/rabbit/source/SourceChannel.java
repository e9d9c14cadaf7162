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
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of the source that blocks on the broker. Confined to the supervisor's thread. On each new connection it verifies or
 * declares the queues and opens a channel. On that channel it keeps consumers with the wanted prefetch.
 */
final class SourceChannel implements ConnectionSupervisor.Attachment {

    private static final Logger LOG = LoggerFactory.getLogger(SourceChannel.class);

    private final String queue;
    private final DelayedQueues delayed;
    private final Topology topology;
    private final DeliveryLimitCheck deliveryLimitCheck;
    private final EventLoopThread loop;
    private final SourceLoop source;
    private final Supplier<Prefetch.PrefetchTarget> wanted;
    private final Supplier<QueueLengthMonitor.QueueDepth> depth;
    private final long stallNanos;
    private final Runnable wakeUp;
    private final Platform platform;
    private boolean deliveryLimitChecked;
    private Connection connection;
    private Channel channel;
    private ChannelSession session;
    private ChannelConsumers consumers;
    private InboundGuard guard;
    private StallDetector stallDetector;

    /**
     * Creates a channel that is not attached yet.
     *
     * @param topology the required queues and exchange
     * @param wanted returns the wanted prefetch; 0 while nothing should be read
     * @param depth returns the broker's last report of the queue
     * @param wakeUp makes the supervisor call {@link #maintain} soon; for any thread
     */
    SourceChannel(
            RabbitSettings settings,
            Topology topology,
            EventLoopThread loop,
            SourceLoop source,
            Supplier<Prefetch.PrefetchTarget> wanted,
            Supplier<QueueLengthMonitor.QueueDepth> depth,
            Runnable wakeUp,
            Platform platform) {
        this.queue = settings.requests().queue();
        this.delayed = new DelayedQueues(settings);
        this.topology = topology;
        this.deliveryLimitCheck = new DeliveryLimitCheck(settings);
        this.loop = loop;
        this.source = source;
        this.wanted = wanted;
        this.depth = depth;
        this.stallNanos = settings.requests().stallTimeout().toNanos();
        this.wakeUp = wakeUp;
        this.platform = platform;
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
        checkDeliveryLimit();
        channel = ChannelProbe.openChannel(fresh);
        channel.addShutdownListener(cause -> wakeUp.run());
        InboundGuard connectionGuard = guard;
        ChannelSession opened = ChannelSession.forChannel(channel, queue, source.settlements(), delayed);
        session = opened;
        loop.execute(() -> source.channelOpened(opened));
        stallDetector = new StallDetector(stallNanos, platform.nanos());
        consumers = new ChannelConsumers(
                channel,
                queue,
                (tag, redelivered, properties, body) ->
                        source.delivered(opened, redelivered, properties, body, connectionGuard.takeInspected(tag)),
                source,
                wakeUp,
                platform);
        maintain();
    }

    private void checkDeliveryLimit() throws IOException {
        if (deliveryLimitChecked) {
            return;
        }
        String warning = deliveryLimitCheck.warning(connection);
        if (warning != null) {
            LOG.warn("Request queue may drop messages queue={} reason={}", queue, warning);
        }
        deliveryLimitChecked = true;
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
        if (stallDetector.detect(source.snapshot(), consumers.maxUnacknowledged(), depth.get(), platform.nanos())) {
            throw new IOException("the broker delivers nothing although messages are ready and the prefetch has room");
        }
    }

    @Override
    public void detach() {
        ChannelSession closed = session;
        session = null;
        if (closed != null) {
            loop.execute(() -> source.channelClosed(closed));
        }
    }
}
