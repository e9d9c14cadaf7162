package io.iocluster.rabbit.sink;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.ChannelProbe;
import io.iocluster.rabbit.connection.ConnectionSupervisor;
import io.iocluster.rabbit.connection.Connector;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.FailureText;
import io.iocluster.rabbit.connection.ResourceAlarm;
import io.iocluster.rabbit.connection.ThrottledTask;
import io.iocluster.settings.DurationText;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes messages with confirms from one event loop to one channel. Confined to the loop, except where a method says
 * otherwise. During an outage posted messages wait for a connection. Unconfirmed messages are published again on the next
 * channel.
 */
public final class RabbitPublisher {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitPublisher.class);
    private static final String CLOSED = "the sink is closed";
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    /** Minimum interval between two runs: under load the messages of this time are written together. */
    private static final long MIN_RUN_INTERVAL_NANOS = Duration.ofNanos(500_000).toNanos();

    private static final long TICK_NANOS = Duration.ofSeconds(1).toNanos();
    /** After this long with nacks only, the channel is replaced: it may be bound to a dead leader of a quorum queue. */
    private static final long MAX_NACK_NANOS = Duration.ofSeconds(2).toNanos();
    /** Bounds the unconfirmed messages, because a client may post without limit. */
    private static final int MAX_UNCONFIRMED = 4_096;

    private final EventLoopThread loop;
    private final ConnectionSupervisor supervisor;
    private final ResourceAlarm alarm;
    private final ConnectionSupervisor.Attachment companion;
    private final ThrottledTask publishing;
    private final long confirmNanos;
    private final String confirmTimeout;
    private final MpscUnboundedAtomicArrayQueue<PendingPublish> posted = new MpscUnboundedAtomicArrayQueue<>(1_024);
    private final ArrayDeque<PendingPublish> resend = new ArrayDeque<>();
    private final UnconfirmedPublishes unconfirmed = new UnconfirmedPublishes();
    private volatile boolean closed;
    /** Time of the first nack on a channel that has confirmed nothing; 0 if there is none. Written by the loop. */
    private volatile long nackingSinceNanos;

    private final MissingQueues missingQueues = new MissingQueues(System::nanoTime);
    /** Whether there is an open channel and the broker has not blocked it. Written by the loop. */
    private volatile boolean reachable;

    private boolean hasConfirmed;
    private Channel channel;
    private boolean blocked;
    /** How many of the next messages are published one at a time, because one of them made the broker close a channel. */
    private int suspects;

    /** @param logsOutages whether it logs when the broker is unreachable */
    RabbitPublisher(
            RabbitSettings settings, Connector connector, String role, ResourceAlarm alarm, boolean logsOutages) {
        this(settings, connector, role, alarm, logsOutages, null);
    }

    /**
     * Creates a publisher that is not started yet.
     *
     * @param logsOutages whether it logs when the broker is unreachable
     * @param companion shares the connection and is attached before anything is published; null for none
     */
    public RabbitPublisher(
            RabbitSettings settings,
            Connector connector,
            String role,
            ResourceAlarm alarm,
            boolean logsOutages,
            ConnectionSupervisor.Attachment companion) {
        this.companion = companion;
        this.loop = new EventLoopThread("iocluster-rabbit-" + role);
        this.supervisor = new ConnectionSupervisor(connector, role, loop, new PublishChannel(), logsOutages);
        this.alarm = alarm;
        this.publishing = new ThrottledTask(loop, MIN_RUN_INTERVAL_NANOS, this::publishAll);
        this.confirmNanos = settings.confirmTimeout().toNanos();
        this.confirmTimeout = DurationText.format(settings.confirmTimeout());
    }

    public void start() {
        loop.scheduleRepeatedly(TICK_NANOS, this::tick);
        supervisor.start();
    }

    /** Returns whether the queue does not exist, by the broker's last answer. Any thread. */
    boolean isKnownMissing(String queue) {
        return missingQueues.contains(queue);
    }

    /** Returns whether the broker accepted messages when last seen. Any thread. */
    boolean isReachable() {
        return reachable;
    }

    public ConnectionSupervisor supervisor() {
        return supervisor;
    }

    /** Posts a message. Any thread; never blocks. */
    public void post(PendingPublish publication) {
        posted.offer(publication);
        if (closed) {
            publication.fail(CLOSED);
        } else {
            publishing.request();
        }
    }

    /** Opens the channel with confirms. Confined to the supervisor's thread. */
    private final class PublishChannel implements ConnectionSupervisor.Attachment {

        private Channel opened;
        private Connection connection;

        @Override
        public void attach(Connection newConnection) throws IOException {
            newConnection.addBlockedListener(new BlockedListener() {
                @Override
                public void handleBlocked(String reason) {
                    loop.run(() -> setBlocked(true));
                }

                @Override
                public void handleUnblocked() {
                    loop.run(() -> setBlocked(false));
                }
            });
            if (companion != null) {
                companion.attach(newConnection);
            }
            connection = newConnection;
            Channel fresh = ChannelProbe.openChannel(newConnection);
            opened = fresh;
            fresh.addShutdownListener(cause -> supervisor.wakeUp());
            fresh.addReturnListener((code, text, exchange, routingKey, properties, body) ->
                    loop.run(() -> returned(code, text, exchange, routingKey, properties, body)));
            fresh.addConfirmListener(new Confirms());
            // The client's confirmSelect would keep a sorted set of all sequence numbers under a lock.
            fresh.rpc(new AMQP.Confirm.Select.Builder().build());
            loop.execute(() -> channelOpened(fresh));
        }

        @Override
        public void maintain() throws IOException {
            if (companion != null) {
                companion.maintain();
            }
            if (!opened.isOpen()) {
                throw new IOException(FailureText.of(opened.getCloseReason()));
            }
            if (!alarm.isRaised()) {
                missingQueues.recheck(this::isMissing);
            }
            long since = nackingSinceNanos;
            if (since != 0 && System.nanoTime() - since > MAX_NACK_NANOS) {
                throw new IOException("the broker refuses (nack) every message on this channel");
            }
        }

        private boolean isMissing(String queue) throws IOException {
            ChannelProbe.BrokerRefusal refusal =
                    ChannelProbe.probe(connection, channel -> channel.queueDeclarePassive(queue));
            return refusal != null && refusal.code() == ChannelProbe.NOT_FOUND;
        }

        @Override
        public void detach() {
            if (companion != null) {
                companion.detach();
            }
            ShutdownSignalException cause = opened == null ? null : opened.getCloseReason();
            loop.execute(() -> channelClosed(cause == null ? null : cause.getReason()));
        }
    }

    private final class Confirms implements ConfirmListener {

        @Override
        public void handleAck(long number, boolean multiple) {
            loop.run(() -> confirmed(number, multiple));
        }

        @Override
        public void handleNack(long number, boolean multiple) {
            loop.run(() -> refused(number, multiple));
        }
    }

    private void channelOpened(Channel fresh) {
        channel = fresh;
        reachable = true;
        hasConfirmed = false;
        publishAll();
    }

    private void setBlocked(boolean block) {
        if (block) {
            LOG.warn("RabbitMQ has blocked publishing because it is short of memory or disk");
        } else {
            LOG.info("RabbitMQ has unblocked publishing");
        }
        blocked = block;
        reachable = !block && channel != null;
        alarm.set(block);
        publishAll();
    }

    private void publishAll() {
        while (channel != null && !blocked && hasRoom()) {
            PendingPublish next = resend.isEmpty() ? posted.relaxedPoll() : resend.poll();
            if (next == null) {
                return;
            }
            if (!next.isDone()) {
                publish(next);
            }
        }
    }

    private boolean hasRoom() {
        return suspects > 0 ? unconfirmed.size() == 0 : unconfirmed.size() < MAX_UNCONFIRMED;
    }

    private void publish(PendingPublish publication) {
        publication.sentNanos = System.nanoTime();
        unconfirmed.add(publication);
        try {
            channel.basicPublish(
                    publication.exchange(),
                    publication.routingKey(),
                    publication.isMandatory(),
                    publication.properties(),
                    publication.body());
        } catch (IOException | ShutdownSignalException gone) {
            // The supervisor notices the closed channel; the message is published again on the next one.
            LOG.debug("Publish failed on a closed channel; the message will be published again", gone);
            channel = null;
        } catch (IllegalArgumentException tooLarge) {
            // The client refuses headers larger than a frame before it writes anything.
            unconfirmed.removeLast();
            publication.complete(
                    new PublishResult.TooLarge("the message cannot be encoded in AMQP: " + FailureText.of(tooLarge)));
        } catch (RuntimeException unsendable) {
            unconfirmed.removeLast();
            publication.fail("the message cannot be encoded in AMQP: " + FailureText.of(unsendable));
        }
    }

    private void confirmed(long number, boolean multiple) {
        hasConfirmed = true;
        nackingSinceNanos = 0;
        unconfirmed.settle(number, multiple, publication -> publication.complete(PublishResult.CONFIRMED));
        afterSettlement();
    }

    private void refused(long number, boolean multiple) {
        if (!hasConfirmed && nackingSinceNanos == 0) {
            nackingSinceNanos = System.nanoTime();
        }
        unconfirmed.settle(number, multiple, publication -> publication.fail("the broker refused the message (nack)"));
        afterSettlement();
    }

    private void afterSettlement() {
        if (suspects > 0) {
            suspects--;
            publishAll();
        } else if (!resend.isEmpty() || !posted.isEmpty()) {
            publishing.request();
        }
    }

    /** Handles a returned message. Its confirm follows and has no effect then. */
    private void returned(
            int code, String text, String exchange, String routingKey, BasicProperties properties, byte[] body) {
        PendingPublish returned = unconfirmed.find(
                publication -> !publication.isDone() && publication.matches(exchange, routingKey, properties, body));
        if (returned != null) {
            String destination = exchange.isEmpty()
                    ? "queue " + routingKey
                    : "exchange " + exchange + " with routing key " + routingKey;
            if (exchange.isEmpty()) {
                missingQueues.add(routingKey);
            }
            returned.complete(new PublishResult.UnknownTopicOrQueue(
                    "no queue accepted the message: " + destination + ": " + code + " " + text));
        }
    }

    private void tick() {
        long now = System.nanoTime();
        boolean late = unconfirmed.removeLate(
                publication -> now - publication.sentNanos > confirmNanos,
                publication -> publication.fail("not confirmed within " + confirmTimeout));
        if (late) {
            afterSettlement();
        }
    }

    /**
     * Handles a closed channel.
     *
     * @param reason why the broker closed it, or null
     */
    private void channelClosed(Method reason) {
        channel = null;
        reachable = false;
        nackingSinceNanos = 0;
        blocked = false;
        alarm.set(false);
        List<PendingPublish> open = unconfirmed.takeAll();
        open.removeIf(PendingPublish::isDone);
        boolean causedByMessage = reason instanceof AMQP.Channel.Close;
        if (causedByMessage && open.size() == 1) {
            completeRefused(open.remove(0), reason);
            suspects = Math.max(0, suspects - 1);
        } else if (causedByMessage) {
            suspects = open.size();
        }
        for (int i = open.size() - 1; i >= 0; i--) {
            resend.addFirst(open.get(i));
        }
        if (closed) {
            failAll();
        }
    }

    /** Completes the message for which the broker closed the channel, and would close it again. */
    private static void completeRefused(PendingPublish publication, Method reason) {
        String text = FailureText.replyText(reason);
        boolean tooLarge =
                FailureText.replyCode(reason) == ChannelProbe.PRECONDITION_FAILED && text.contains("message size");
        if (tooLarge) {
            publication.complete(new PublishResult.TooLarge(text));
        } else if (FailureText.replyCode(reason) == ChannelProbe.NOT_FOUND) {
            publication.complete(new PublishResult.UnknownTopicOrQueue(text));
        } else {
            publication.fail(text);
        }
    }

    private void failAll() {
        unconfirmed.takeAll().forEach(publication -> publication.fail(CLOSED));
        resend.forEach(publication -> publication.fail(CLOSED));
        resend.clear();
        for (PendingPublish next = posted.poll(); next != null; next = posted.poll()) {
            next.fail(CLOSED);
        }
    }

    /** Closes the connection and fails all unconfirmed messages. Any thread; blocks for at most about two seconds. */
    public void close() {
        closed = true;
        loop.execute(this::failAll);
        supervisor.close(CLOSE_WITHIN);
        loop.close();
    }
}
