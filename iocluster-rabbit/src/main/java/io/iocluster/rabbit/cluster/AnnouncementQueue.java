package io.iocluster.rabbit.cluster;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.ReplyToPolicy;
import io.iocluster.rabbit.connection.ChannelProbe;
import io.iocluster.rabbit.connection.ChannelProbe.BrokerRefusal;
import io.iocluster.rabbit.connection.ClusterExchange;
import io.iocluster.rabbit.connection.ConnectionSupervisor;
import io.iocluster.rabbit.connection.InboundBudget;
import io.iocluster.rabbit.connection.InboundGuard;
import io.iocluster.rabbit.connection.InspectedMessage;
import io.iocluster.thread.Platform;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds a queue of the node to the exchange of announcements, and consumes it. Without the exchange, keeps the connection and tries
 * again. Confined to the supervisor's thread, except for the callbacks, which run on the loop.
 */
final class AnnouncementQueue implements ConnectionSupervisor.Attachment {

    private static final Logger LOG = LoggerFactory.getLogger(AnnouncementQueue.class);
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(10);
    private static final long BUDGET_BYTES = 8 << 20;

    /** The broker drops the oldest records of a node that does not read, and all of them when it is gone. */
    private static final Map<String, Object> ARGUMENTS = Map.of(
            "x-queue-type",
            "classic",
            "x-max-length",
            ClusterChannel.MAX_RECORDS_PER_SECOND,
            "x-overflow",
            "drop-head",
            "x-message-ttl",
            10_000);

    private final RabbitSettings settings;
    private final Events events;
    private final Runnable wakeUp;
    private final ProblemLog problem;
    private final Backoff backoff;
    private final Platform platform;
    private InboundBudget budget;
    private InboundGuard guard;
    private Connection connection;
    private Channel channel;
    private long retryNanos;
    private volatile boolean cancelled;

    /** What happens with the queue. Called on the loop, unless stated otherwise. */
    interface Events {

        /** The channel consumes and may publish. Called on the supervisor's thread. */
        void opened(Channel channel);

        /** The channel is closed. Called on the supervisor's thread, perhaps more than once. */
        void closed();

        /** The broker accepts no messages, or accepts them again. */
        void blocked(boolean blocked);

        /**
         * A record arrived.
         *
         * @param record null if it was too large
         */
        void received(Channel from, long tag, byte[] record);
    }

    AnnouncementQueue(RabbitSettings settings, Events events, Runnable wakeUp, Platform platform) {
        this.settings = settings;
        this.events = events;
        this.wakeUp = wakeUp;
        this.platform = platform;
        this.problem = new ProblemLog(LOG, null, LOG_INTERVAL, platform);
        this.backoff = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(1), platform.random());
        this.retryNanos = platform.nanos();
    }

    /** Returns why the queue cannot be used although there is a connection; null if it can. Any thread. */
    String problem() {
        return problem.problem();
    }

    @Override
    public InboundGuard newInboundGuard() {
        budget = new InboundBudget(BUDGET_BYTES);
        guard = new InboundGuard(budget, ClusterChannel.MAX_RECORD_BYTES);
        return guard;
    }

    @Override
    public void attach(Connection fresh) throws IOException {
        connection = fresh;
        fresh.addBlockedListener(new BlockedListener() {
            @Override
            public void handleBlocked(String reason) {
                events.blocked(true);
            }

            @Override
            public void handleUnblocked() {
                events.blocked(false);
            }
        });
        tryOpen();
    }

    @Override
    public void maintain() throws IOException {
        boolean lost = channel != null && (!channel.isOpen() || cancelled);
        if (lost) {
            closeChannel();
        }
        if (channel == null && platform.nanos() - retryNanos >= 0) {
            tryOpen();
        }
    }

    @Override
    public void detach() {
        channel = null;
        events.closed();
        events.blocked(false);
    }

    private void closeChannel() throws IOException {
        Channel closed = channel;
        channel = null;
        events.closed();
        closed.abort();
    }

    private void tryOpen() throws IOException {
        cancelled = false;
        String refused = ClusterExchange.problem(
                connection, settings.clusterExchange(), settings.declare().enabled());
        if (refused == null) {
            refused = open();
        }
        if (refused == null) {
            backoff.reset();
            problem.clear();
        } else {
            // The broker logs each refusal.
            retryNanos = platform.nanos() + backoff.nextDelayNanos();
            problem.raise("Announcing this node failed: " + refused, null);
        }
    }

    /** Returns why the broker refuses the queue; null if it is consumed. */
    private String open() throws IOException {
        Channel fresh = ChannelProbe.openChannel(connection);
        try {
            String queue = ReplyToPolicy.clusterQueuePrefix(settings) + platform.uniqueId();
            fresh.queueDeclare(queue, false, true, true, ARGUMENTS);
            fresh.queueBind(queue, settings.clusterExchange(), "");
            fresh.basicQos(RabbitClusterChannel.PREFETCH);
            fresh.addShutdownListener(cause -> wakeUp.run());
            fresh.basicConsume(queue, false, consumer(fresh, guard, budget));
        } catch (IOException failed) {
            BrokerRefusal refusal = BrokerRefusal.of(failed);
            if (refusal == null) {
                throw failed;
            }
            return ClusterExchange.explain(refusal, settings.clusterExchange());
        }
        channel = fresh;
        events.opened(fresh);
        return null;
    }

    private DefaultConsumer consumer(Channel consumed, InboundGuard inbound, InboundBudget bytes) {
        return new DefaultConsumer(consumed) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
                InspectedMessage inspected = inbound.takeInspected(envelope.getDeliveryTag());
                bytes.release(inspected.reservedBytes());
                boolean whole = inspected.problem() == null && inspected.isWithinBudget();
                events.received(consumed, envelope.getDeliveryTag(), whole ? body : null);
            }

            @Override
            public void handleCancel(String tag) {
                cancelled = true;
                wakeUp.run();
            }
        };
    }
}
