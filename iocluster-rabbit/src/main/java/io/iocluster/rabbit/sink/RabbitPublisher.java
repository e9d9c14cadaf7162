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
 * Publishes with confirmation, from one loop to one channel. Others post and go on. An outage is waited out: what is posted stays
 * until a broker is there, and what was sent and not confirmed is sent once more. Confined to the loop but for {@link #start},
 * {@link #post} and {@link #close}.
 */
public final class RabbitPublisher {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitPublisher.class);
    private static final String CLOSED = "the sink is closed";
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    /** Under load the messages of so long a time leave together. */
    private static final long TURN_NANOS = Duration.ofNanos(500_000).toNanos();

    private static final long TICK_NANOS = Duration.ofSeconds(1).toNanos();
    /** A channel that was opened while a queue had no leader may ask the one that is dead for ever. */
    private static final long REFUSING_NANOS = Duration.ofSeconds(2).toNanos();
    /** What a client that posts without end may have under way. */
    private static final int MOST_UNCONFIRMED = 4_096;

    private final EventLoopThread loop;
    private final ConnectionSupervisor link;
    private final ResourceAlarm alarm;
    private final ConnectionSupervisor.Attachment beside;
    private final ThrottledTask turns;
    private final long confirmNanos;
    private final String confirmTimeout;
    private final MpscUnboundedAtomicArrayQueue<PendingPublish> posted = new MpscUnboundedAtomicArrayQueue<>(1_024);
    private final ArrayDeque<PendingPublish> again = new ArrayDeque<>();
    private final UnconfirmedPublishes unconfirmed = new UnconfirmedPublishes();
    private volatile boolean closed;
    /** Since when a channel refuses that has not confirmed anything; 0 if it does not. The loop writes. */
    private volatile long refusingNanos;

    private final MissingQueues missing = new MissingQueues(System::nanoTime);
    /** Whether there is a channel that the broker reads from. Written by the loop. */
    private volatile boolean reachable;

    private boolean confirming;
    private Channel channel;
    private boolean blocked;
    /** So many of the next messages leave one at a time, for one of them made the broker close a channel. */
    private int suspects;

    /**
     * Not started yet.
     *
     * @param tellsOutages whether the log hears of a broker that is away
     */
    RabbitPublisher(
            RabbitSettings settings, Connector connector, String role, ResourceAlarm alarm, boolean tellsOutages) {
        this(settings, connector, role, alarm, tellsOutages, null);
    }

    /**
     * Not started yet.
     *
     * @param beside what else lives on the connection, attached before anything is published; null for nothing
     */
    public RabbitPublisher(
            RabbitSettings settings,
            Connector connector,
            String role,
            ResourceAlarm alarm,
            boolean tellsOutages,
            ConnectionSupervisor.Attachment beside) {
        this.beside = beside;
        this.loop = new EventLoopThread("iocluster-rabbit-" + role);
        this.link = new ConnectionSupervisor(connector, role, loop, new OnLink(), tellsOutages);
        this.alarm = alarm;
        this.turns = new ThrottledTask(loop, TURN_NANOS, this::publishAll);
        this.confirmNanos = settings.confirmTimeout().toNanos();
        this.confirmTimeout = DurationText.format(settings.confirmTimeout());
    }

    public void start() {
        loop.scheduleRepeatedly(TICK_NANOS, this::tick);
        link.start();
    }

    /** Returns whether the queue does not exist, by the broker's last answer. Any thread. */
    boolean isKnownMissing(String queue) {
        return missing.contains(queue);
    }

    /** Returns whether the broker accepts messages now, as far as is known. Any thread. */
    boolean isReachable() {
        return reachable;
    }

    public ConnectionSupervisor link() {
        return link;
    }

    /** Any thread; never blocks. */
    public void post(PendingPublish publication) {
        posted.offer(publication);
        if (closed) {
            publication.fail(CLOSED);
        } else {
            turns.request();
        }
    }

    /** What waits for the broker: a channel that confirms. Confined to the link's thread. */
    private final class OnLink implements ConnectionSupervisor.Attachment {

        private Channel opened;
        private Connection connection;

        @Override
        public void attach(Connection fresh) throws IOException {
            fresh.addBlockedListener(new BlockedListener() {
                @Override
                public void handleBlocked(String reason) {
                    loop.run(() -> block(true));
                }

                @Override
                public void handleUnblocked() {
                    loop.run(() -> block(false));
                }
            });
            if (beside != null) {
                beside.attach(fresh);
            }
            connection = fresh;
            Channel made = ChannelProbe.openChannel(fresh);
            opened = made;
            made.addShutdownListener(cause -> link.wakeUp());
            made.addReturnListener((code, text, exchange, routingKey, properties, body) ->
                    loop.run(() -> returned(code, text, exchange, routingKey, properties, body)));
            made.addConfirmListener(new Confirms());
            // The client's own confirmSelect would keep a sorted set of all numbers under a lock.
            made.rpc(new AMQP.Confirm.Select.Builder().build());
            loop.execute(() -> begin(made));
        }

        @Override
        public void maintain() throws IOException {
            if (beside != null) {
                beside.maintain();
            }
            if (!opened.isOpen()) {
                throw new IOException(FailureText.of(opened.getCloseReason()));
            }
            if (!alarm.isRaised()) {
                missing.recheck(this::isMissing);
            }
            long since = refusingNanos;
            if (since != 0 && System.nanoTime() - since > REFUSING_NANOS) {
                throw new IOException("it refuses (nack) all that is published");
            }
        }

        private boolean isMissing(String queue) throws IOException {
            ChannelProbe.BrokerRefusal refusal =
                    ChannelProbe.probe(connection, channel -> channel.queueDeclarePassive(queue));
            return refusal != null && refusal.code() == ChannelProbe.NOT_FOUND;
        }

        @Override
        public void detach() {
            if (beside != null) {
                beside.detach();
            }
            ShutdownSignalException cause = opened == null ? null : opened.getCloseReason();
            loop.execute(() -> end(cause == null ? null : cause.getReason()));
        }
    }

    private final class Confirms implements ConfirmListener {

        @Override
        public void handleAck(long number, boolean withAllBelow) {
            loop.run(() -> confirmed(number, withAllBelow));
        }

        @Override
        public void handleNack(long number, boolean withAllBelow) {
            loop.run(() -> refused(number, withAllBelow));
        }
    }

    private void begin(Channel fresh) {
        channel = fresh;
        reachable = true;
        confirming = false;
        publishAll();
    }

    private void block(boolean block) {
        if (block) {
            LOG.warn("RabbitMQ takes no messages now, for it is short of memory or disk");
        } else {
            LOG.info("RabbitMQ takes messages again");
        }
        blocked = block;
        reachable = !block && channel != null;
        alarm.set(block);
        publishAll();
    }

    private void publishAll() {
        while (channel != null && !blocked && hasRoom()) {
            PendingPublish next = again.isEmpty() ? posted.relaxedPoll() : again.poll();
            if (next == null) {
                return;
            }
            if (!next.isDone()) {
                publish(next);
            }
        }
    }

    private boolean hasRoom() {
        return suspects > 0 ? unconfirmed.size() == 0 : unconfirmed.size() < MOST_UNCONFIRMED;
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
            // The link finds out, and then it is sent again.
            LOG.debug("The channel is gone", gone);
            channel = null;
        } catch (IllegalArgumentException doesNotFit) {
            // The client refuses headers that are larger than a frame, before it writes anything.
            unconfirmed.removeLast();
            publication.complete(
                    new PublishResult.TooLarge("it cannot be written in AMQP: " + FailureText.of(doesNotFit)));
        } catch (RuntimeException unsendable) {
            unconfirmed.removeLast();
            publication.fail("it cannot be written in AMQP: " + FailureText.of(unsendable));
        }
    }

    private void confirmed(long number, boolean withAllBelow) {
        confirming = true;
        refusingNanos = 0;
        unconfirmed.settle(number, withAllBelow, publication -> publication.complete(PublishResult.CONFIRMED));
        cleared();
    }

    private void refused(long number, boolean withAllBelow) {
        if (!confirming && refusingNanos == 0) {
            refusingNanos = System.nanoTime();
        }
        unconfirmed.settle(number, withAllBelow, publication -> publication.fail("the broker refused it (nack)"));
        cleared();
    }

    private void cleared() {
        if (suspects > 0) {
            suspects--;
            publishAll();
        } else if (!again.isEmpty() || !posted.isEmpty()) {
            turns.request();
        }
    }

    /** Comes before the confirmation, which then says nothing. */
    private void returned(
            int code, String text, String exchange, String routingKey, BasicProperties properties, byte[] body) {
        PendingPublish returned = unconfirmed.find(
                publication -> !publication.isDone() && publication.matches(exchange, routingKey, properties, body));
        if (returned != null) {
            String place = exchange.isEmpty() ? "the queue " + routingKey : exchange + " for " + routingKey;
            if (exchange.isEmpty()) {
                missing.add(routingKey);
            }
            returned.complete(
                    new PublishResult.UnknownTopicOrQueue("no queue took it: " + place + ": " + code + " " + text));
        }
    }

    private void tick() {
        long now = System.nanoTime();
        boolean late = unconfirmed.removeLate(
                publication -> now - publication.sentNanos > confirmNanos,
                publication -> publication.fail("not confirmed within " + confirmTimeout));
        if (late) {
            cleared();
        }
    }

    /** The channel is gone; the reason is what the broker closed it for, or null. */
    private void end(Method reason) {
        channel = null;
        reachable = false;
        refusingNanos = 0;
        blocked = false;
        alarm.set(false);
        List<PendingPublish> open = unconfirmed.takeAll();
        open.removeIf(PendingPublish::isDone);
        boolean blamed = reason instanceof AMQP.Channel.Close;
        if (blamed && open.size() == 1) {
            refuse(open.remove(0), reason);
            suspects = Math.max(0, suspects - 1);
        } else if (blamed) {
            suspects = open.size();
        }
        for (int i = open.size() - 1; i >= 0; i--) {
            again.addFirst(open.get(i));
        }
        if (closed) {
            giveUp();
        }
    }

    /** The broker closed the channel for this message, and would for ever. */
    private static void refuse(PendingPublish publication, Method reason) {
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

    private void giveUp() {
        unconfirmed.takeAll().forEach(publication -> publication.fail(CLOSED));
        again.forEach(publication -> publication.fail(CLOSED));
        again.clear();
        for (PendingPublish left = posted.poll(); left != null; left = posted.poll()) {
            left.fail(CLOSED);
        }
    }

    /** Gives up what is not confirmed. Any thread; may wait a moment for the broker. */
    public void close() {
        closed = true;
        loop.execute(this::giveUp);
        link.close(CLOSE_WITHIN);
        loop.close();
    }
}
