package io.iocluster.rabbit.sink;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.rabbit.connection.FailureText;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes messages with confirms to one channel at a time. Confined to the publisher's loop, except where a method says otherwise.
 * Without a channel messages wait. Unconfirmed messages are published again on the next channel. Each queue has a {@link QueueWindow}.
 */
final class PublishLink {

    private static final Logger LOG = LoggerFactory.getLogger(PublishLink.class);

    /** Bounds the unconfirmed messages, because a client may post without limit. */
    private static final int MAX_UNCONFIRMED = 4_096;
    /** Bounds the memory of messages whose confirm timeout has passed and which the broker still holds. */
    private static final int MAX_SET_ASIDE = 16_384;

    private final LinkOwner owner;
    private final long confirmNanos;
    private final String confirmTimeout;
    private final NodeClock clock;
    /** Messages to send, or to put into the window of their queue. Those of a lost channel first. */
    private final ArrayDeque<PendingPublish> backlog = new ArrayDeque<>();

    private final QueueWindows windows = new QueueWindows(MAX_UNCONFIRMED);
    private final UnconfirmedPublishes unconfirmed = new UnconfirmedPublishes();
    private final IsolationPolicy isolation = new IsolationPolicy();
    private final ChannelRenewal renewal = new ChannelRenewal();
    private final Refusals refusals = new Refusals();
    private final PoisonMessageSearch poisonSearch = new PoisonMessageSearch();

    /** Why the connection must be replaced; null if it may stay. Written by the loop. */
    private volatile String defect;

    /** Whether there is an open channel and the broker has not blocked it. Written by the loop. */
    private volatile boolean reachable;

    private Channel channel;
    private boolean blocked;

    /** @param confirmTimeout for error messages */
    PublishLink(LinkOwner owner, long confirmNanos, String confirmTimeout, NodeClock clock) {
        this.owner = owner;
        this.confirmNanos = confirmNanos;
        this.confirmTimeout = confirmTimeout;
        this.clock = clock;
    }

    /** Returns whether the broker accepted messages when last seen. Any thread. */
    boolean isReachable() {
        return reachable;
    }

    /**
     * Checks the channel. Any thread.
     *
     * @throws IOException if the connection must be replaced
     */
    void checkUsable() throws IOException {
        String problem = defect;
        if (problem != null) {
            throw new IOException(problem);
        }
        if (refusals.refusesAll(clock.nanos())) {
            throw new IOException("the broker refuses (nack) every message on this channel");
        }
    }

    /** Returns whether the channel must be replaced, and no message would be published again because of that. Any thread. */
    boolean needsNewChannel() {
        return renewal.isDue();
    }

    /** Returns whether this is the channel of the messages. */
    boolean isCurrent(Channel from) {
        return from == channel;
    }

    /** Adds a message. {@link #publishAll} sends it. */
    void add(PendingPublish publication) {
        backlog.add(publication);
    }

    /** Returns whether nothing waits and nothing is unconfirmed, except messages whose confirm timeout has passed. */
    boolean isIdle() {
        return backlog.isEmpty() && unconfirmed.size() == 0 && !windows.hasWaiting();
    }

    void channelOpened(Channel fresh) {
        channel = fresh;
        reachable = true;
        isolation.reset(clock.nanos());
        publishAll();
    }

    void setBlocked(boolean block) {
        blocked = block;
        reachable = !block && channel != null;
        isolation.reset(clock.nanos());
        publishAll();
    }

    /** Sends what may be sent. */
    void publishAll() {
        while (canSendNow() && windows.hasSendable()) {
            sendWaiting(windows.peekSendable());
        }
        while (canSendNow() && !backlog.isEmpty()) {
            PendingPublish next = backlog.poll();
            if (!next.isDone() && !owner.reroute(next)) {
                offer(next);
            }
        }
    }

    private void sendWaiting(QueueWindow window) {
        while (canSendNow() && window.canSendWaiting()) {
            PendingPublish next = window.pollWaiting();
            if (!next.isDone()) {
                publish(next, window);
            }
        }
        windows.unscheduleIfDone(window);
    }

    private void offer(PendingPublish next) {
        QueueWindow window = windows.of(next.target());
        if (window.canSendNext()) {
            publish(next, window);
        } else {
            window.enqueue(next, clock.nanos());
        }
    }

    private boolean canSendNow() {
        return channel != null
                && !blocked
                && renewal.maySend()
                && (poisonSearch.isRunning() ? unconfirmed.size() == 0 : unconfirmed.size() < MAX_UNCONFIRMED);
    }

    private void publish(PendingPublish publication, QueueWindow window) {
        publication.sentNanos = clock.nanos();
        publication.window = window;
        unconfirmed.add(publication);
        window.sent();
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
            removeUnsent(window);
            publication.complete(
                    new PublishResult.TooLarge("the message cannot be encoded in AMQP: " + FailureText.of(tooLarge)));
        } catch (RuntimeException unsendable) {
            removeUnsent(window);
            publication.fail("the message cannot be encoded in AMQP: " + FailureText.of(unsendable));
        }
    }

    private void removeUnsent(QueueWindow window) {
        unconfirmed.removeLast();
        window.unsent();
    }

    void confirmed(long number, boolean multiple) {
        long now = clock.nanos();
        unconfirmed.settle(number, multiple, publication -> {
            isolation.confirmed(publication.window, now);
            refusals.confirmed(publication.window.queue());
            settled(publication, true, now);
            publication.complete(PublishResult.CONFIRMED);
        });
        afterSettlement();
    }

    void refused(long number, boolean multiple) {
        long now = clock.nanos();
        unconfirmed.settle(number, multiple, publication -> {
            settled(publication, false, now);
            refusals.refused(publication.window.queue(), now);
            owner.refused(publication.window.queue());
            publication.fail("the broker refused the message (nack)");
        });
        afterSettlement();
    }

    private void settled(PendingPublish publication, boolean confirmed, long now) {
        QueueWindow window = publication.window;
        window.settled(confirmed, now - publication.sentNanos, now);
        windows.schedule(window);
    }

    private void afterSettlement() {
        if (renewal.becomesDue(unconfirmed)) {
            owner.wakeUpSupervisor();
        }
        if (poisonSearch.isRunning()) {
            poisonSearch.settled();
            publishAll();
        } else if (!backlog.isEmpty() || windows.hasSendable()) {
            owner.requestRun();
        }
    }

    /** Handles a returned message. Its confirm follows and has no effect then. */
    void returned(int code, String text, String exchange, String routingKey, BasicProperties properties, byte[] body) {
        PendingPublish returned = unconfirmed.find(
                publication -> !publication.isDone() && publication.matches(exchange, routingKey, properties, body));
        if (returned != null) {
            String destination = exchange.isEmpty()
                    ? "queue " + routingKey
                    : "exchange " + exchange + " with routing key " + routingKey;
            if (exchange.isEmpty()) {
                owner.queueMissing(routingKey);
            }
            returned.complete(new PublishResult.UnknownTopicOrQueue(
                    "no queue accepted the message: " + destination + ": " + code + " " + text));
        }
    }

    /** Fails messages that are late, and forgets queues without messages. */
    void tick(long now) {
        boolean late =
                unconfirmed.setLateAside(publication -> now - publication.sentNanos > confirmNanos, publication -> {
                    failLate(publication);
                    return publication.withoutContent();
                });
        if (channel != null && !blocked) {
            renewal.check(unconfirmed, refusals.hasRefusingQueue(now), now);
        }
        if (unconfirmed.setAsideCount() > MAX_SET_ASIDE) {
            replace("too many messages were not confirmed within " + confirmTimeout);
        }
        if (channel != null && !blocked) {
            windows.takeOverdue(now, confirmNanos, this::failLate);
        }
        windows.removeIdle();
        if (late) {
            afterSettlement();
        } else if (renewal.becomesDue(unconfirmed)) {
            owner.wakeUpSupervisor();
        } else {
            publishAll();
        }
    }

    private void failLate(PendingPublish publication) {
        publication.fail("not confirmed within " + confirmTimeout);
    }

    /** Returns the queues to isolate now. */
    List<IsolationPolicy.QueueToIsolate> queuesToIsolate(long now) {
        return channel == null || blocked ? List.of() : isolation.queuesToIsolate(unconfirmed, backlog.size(), now);
    }

    /** Returns how many messages to the queue the broker has not settled, on the current channel. */
    int unconfirmed(String queue) {
        QueueWindow window = windows.find(queue);
        return window == null ? 0 : window.unconfirmed();
    }

    /** Returns whether the broker is late to confirm a message to the queue, or whether that is unknown. */
    boolean isLate(String queue, long now) {
        if (channel == null || blocked) {
            return true;
        }
        QueueWindow window = windows.find(queue);
        if (window == null || window.isIdle()) {
            return false;
        }
        PendingPublish oldest = unconfirmed.find(publication -> publication.window == window);
        return oldest != null && now - oldest.sentNanos >= QueueWindow.LATE_CONFIRM_NANOS;
    }

    /**
     * Stops sending to a queue. Its unconfirmed messages stay with the channel and no longer count towards the maximum.
     *
     * @return its messages that are not sent yet, without those of the backlog
     */
    List<PendingPublish> isolate(QueueWindow window) {
        unconfirmed.setAside(window);
        return window.takeWaiting();
    }

    /** Closes the connection because of a defect and opens another one. */
    void replace(String problem) {
        defect = problem;
        owner.wakeUpSupervisor();
    }

    /**
     * Handles a closed channel.
     *
     * @param reason why the broker closed it, or null
     */
    void channelClosed(Method reason) {
        channel = null;
        reachable = false;
        refusals.reset();
        defect = null;
        renewal.reset();
        blocked = false;
        List<PendingPublish> open = unconfirmed.takeAll();
        open.removeIf(PendingPublish::isDone);
        poisonSearch.channelClosed(open, reason);
        open.addAll(windows.takeAll());
        for (int i = open.size() - 1; i >= 0; i--) {
            backlog.addFirst(open.get(i));
        }
    }

    /** Removes and returns all messages. */
    List<PendingPublish> takeAll() {
        List<PendingPublish> all = new ArrayList<>(unconfirmed.takeAll());
        all.addAll(windows.takeAll());
        all.addAll(backlog);
        backlog.clear();
        return all;
    }
}
