package io.iocluster.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What of the source waits for the broker: the queues verified or declared on each new connection, a channel, and on it consumers
 * with the prefetch that is wanted now. Confined to the link's thread.
 */
final class SourceLink implements Link.Attachment {

    private static final Logger LOG = LoggerFactory.getLogger(SourceLink.class);

    private final String queue;
    private final DelayedQueues delayed;
    private final Topology topology;
    private final PoisonCheck poison;
    private final Loop loop;
    private final SourceLoop source;
    private final Supplier<Prefetch.Wanted> wanted;
    private final Supplier<QueueLength.Length> length;
    private final long stallNanos;
    private final Runnable nudge;
    private boolean poisonChecked;
    private Connection connection;
    private Channel channel;
    private Consumption consumption;
    private Consumers consumers;
    private InboundGuard guard;
    private Stall stall;

    /**
     * Not attached yet.
     *
     * @param topology what has to be there
     * @param wanted the prefetch as it should be now; 0 while nothing is to be read
     * @param length the queue as the broker last described it
     * @param nudge has it tended soon; for any thread
     */
    SourceLink(
            RabbitSettings settings,
            Topology topology,
            Loop loop,
            SourceLoop source,
            Supplier<Prefetch.Wanted> wanted,
            Supplier<QueueLength.Length> length,
            Runnable nudge) {
        this.queue = settings.requests().queue();
        this.delayed = new DelayedQueues(settings);
        this.topology = topology;
        this.poison = new PoisonCheck(settings);
        this.loop = loop;
        this.source = source;
        this.wanted = wanted;
        this.length = length;
        this.stallNanos = settings.requests().stallTimeout().toNanos();
        this.nudge = nudge;
    }

    @Override
    public InboundGuard inbound() {
        guard = source.newGuard();
        return guard;
    }

    @Override
    public void attach(Connection fresh) throws IOException {
        connection = fresh;
        topology.prepare(fresh);
        warnOfPoison();
        channel = Asking.open(fresh);
        channel.addShutdownListener(cause -> nudge.run());
        InboundGuard arrivals = guard;
        Consumption begun = Consumption.on(channel, queue, source.mailbox(), delayed);
        consumption = begun;
        loop.execute(() -> source.begin(begun));
        stall = new Stall(stallNanos, System.nanoTime());
        consumers = new Consumers(
                channel,
                queue,
                (tag, again, properties, body) ->
                        source.delivered(begun, again, properties, body, arrivals.arrived(tag)),
                source,
                nudge);
        tend();
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
    public void tend() throws IOException {
        if (!channel.isOpen()) {
            throw new IOException(Reason.of(channel.getCloseReason()));
        }
        if (consumers.wereCancelled()) {
            topology.prepare(connection);
        }
        Prefetch.Wanted prefetch = wanted.get();
        consumers.adjust(prefetch);
        if (prefetch.target() == 0) {
            loop.execute(source::giveBack);
        }
        if (stall.lasts(source.shown(), consumers.mayHold(), length.get(), System.nanoTime())) {
            throw new IOException("nothing is delivered though messages are ready and the prefetch has room");
        }
    }

    @Override
    public void detach() {
        Consumption gone = consumption;
        consumption = null;
        if (gone != null) {
            loop.execute(() -> source.end(gone));
        }
    }
}
