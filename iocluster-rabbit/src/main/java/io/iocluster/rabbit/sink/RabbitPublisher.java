package io.iocluster.rabbit.sink;

import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.ChannelProbe;
import io.iocluster.rabbit.connection.ConnectionSupervisor;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.rabbit.connection.ResourceAlarm;
import io.iocluster.rabbit.connection.ThrottledTask;
import io.iocluster.settings.DurationText;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.time.Duration;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes messages with confirms from one event loop. Confined to the loop, except where a method says otherwise. During an outage
 * posted messages wait for a connection. RabbitMQ stops reading a connection while a quorum queue without a leader blocks its
 * channel. So the publisher isolates queues that block others: it uses a second connection for them, while there are any.
 */
public final class RabbitPublisher {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitPublisher.class);
    private static final String CLOSED = "the sink is closed";
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    private static final Duration CLOSE_SECOND_WITHIN = Duration.ofMillis(200);

    /** Minimum interval between two runs: under load the messages of this time are written together. */
    private static final long MIN_RUN_INTERVAL_NANOS = Duration.ofNanos(500_000).toNanos();

    private static final long TICK_NANOS = Duration.ofMillis(500).toNanos();
    /** How long the second connection stays open without an isolated queue. */
    private static final long UNUSED_NANOS = Duration.ofMinutes(1).toNanos();

    private final EventLoopThread loop;
    private final RabbitConnections connections;
    private final Platform platform;
    private final String role;
    private final ResourceAlarm alarm;
    private final ConnectionSupervisor.Attachment companion;
    private final ThrottledTask publishing;
    private final long confirmNanos;
    private final String confirmTimeout;
    private final MpscUnboundedAtomicArrayQueue<PendingPublish> posted = new MpscUnboundedAtomicArrayQueue<>(1_024);
    private final MissingQueues missingQueues;
    private final IsolatedQueues isolated = new IsolatedQueues();
    private final PublishConnection main;
    /** The connection for isolated queues; null if there is none. Written by the loop. */
    private volatile PublishConnection second;

    private long secondUsedNanos;
    private volatile boolean closed;

    /** @param logsOutages whether it logs when the broker is unreachable */
    RabbitPublisher(
            RabbitSettings settings,
            RabbitConnections connections,
            String role,
            ResourceAlarm alarm,
            boolean logsOutages,
            Platform platform) {
        this(settings, connections, role, alarm, logsOutages, null, platform);
    }

    /**
     * Creates a publisher that is not started yet.
     *
     * @param logsOutages whether it logs when the broker is unreachable
     * @param companion shares the connection and is attached before anything is published; null for none
     */
    public RabbitPublisher(
            RabbitSettings settings,
            RabbitConnections connections,
            String role,
            ResourceAlarm alarm,
            boolean logsOutages,
            ConnectionSupervisor.Attachment companion,
            Platform platform) {
        this.companion = companion;
        this.connections = connections;
        this.platform = platform;
        this.missingQueues = new MissingQueues(platform::nanos);
        this.role = role;
        this.loop = connections.newLoop("iocluster-rabbit-" + role);
        this.alarm = alarm;
        this.publishing = new ThrottledTask(loop, platform, MIN_RUN_INTERVAL_NANOS, this::publishAll);
        this.confirmNanos = settings.confirmTimeout().toNanos();
        this.confirmTimeout = DurationText.format(settings.confirmTimeout());
        PublishLink link = new PublishLink(new MainOwner(), confirmNanos, confirmTimeout, platform);
        this.main = new PublishConnection(loop, connections, role, logsOutages, link, new MainListener(), platform);
    }

    public void start() {
        loop.scheduleRepeatedly(TICK_NANOS, this::tick);
        main.supervisor().start();
    }

    /** Returns whether the queue does not exist, by the broker's last answer. Any thread. */
    boolean isKnownMissing(String queue) {
        return missingQueues.contains(queue);
    }

    /** Returns whether the broker accepted messages when last seen. Any thread. */
    boolean isReachable() {
        return main.link().isReachable();
    }

    /** Returns the number of isolated queues, for which the second connection is used. Any thread. */
    int isolatedQueues() {
        return isolated.count();
    }

    public ConnectionSupervisor supervisor() {
        return main.supervisor();
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

    private void publishAll() {
        for (PendingPublish next = posted.relaxedPoll(); next != null; next = posted.relaxedPoll()) {
            main.link().add(next);
        }
        main.link().publishAll();
        if (second != null) {
            second.link().publishAll();
        }
    }

    private void tick() {
        long now = platform.nanos();
        main.link().tick(now);
        main.link().queuesToIsolate(now).forEach(found -> isolate(found, now));
        PublishConnection current = second;
        if (current == null) {
            return;
        }
        current.link().tick(now);
        isolated.removeRecovered(
                queue -> main.link().unconfirmed(queue) > 0 || current.link().isLate(queue, now), now);
        if (!isolated.isEmpty() || !current.link().isIdle()) {
            secondUsedNanos = now;
        } else if (now - secondUsedNanos >= UNUSED_NANOS) {
            second = null;
            current.supervisor().requestClose();
        }
    }

    private void isolate(IsolationPolicy.QueueToIsolate found, long now) {
        QueueWindow window = found.window();
        if (closed || !isolated.add(window.queue(), window.unconfirmed(), found.reason(), now)) {
            return;
        }
        if (second == null) {
            PublishLink link = new PublishLink(new SecondOwner(), confirmNanos, confirmTimeout, platform);
            second = new PublishConnection(
                    loop, connections, role + "-isolated", false, link, this::failAllIfClosed, platform);
            second.supervisor().start();
        }
        main.link().isolate(window).forEach(second.link()::add);
        if (found.blocksConnection()) {
            main.link().replace("queue " + window.queue() + " blocks all others");
        }
        publishAll();
    }

    /** Moves messages for isolated queues from the main connection to the second one. */
    private class MainOwner implements LinkOwner {

        @Override
        public boolean reroute(PendingPublish publication) {
            if (!isolated.contains(publication.target())) {
                return false;
            }
            second.link().add(publication);
            return true;
        }

        @Override
        public void requestRun() {
            publishing.request();
        }

        @Override
        public void refused(String queue) {
            isolated.recordLate(queue, platform.nanos());
        }

        @Override
        public void wakeUpSupervisor() {
            main.supervisor().wakeUp();
        }

        @Override
        public void queueMissing(String queue) {
            missingQueues.add(queue);
        }
    }

    /** Keeps every message on the second connection, even if its queue is no longer isolated. */
    private final class SecondOwner extends MainOwner {

        @Override
        public boolean reroute(PendingPublish publication) {
            return false;
        }

        @Override
        public void wakeUpSupervisor() {
            PublishConnection current = second;
            if (current != null) {
                current.supervisor().wakeUp();
            }
        }
    }

    private final class MainListener implements PublishConnection.Listener {

        @Override
        public void attached(Connection fresh) throws IOException {
            if (companion != null) {
                companion.attach(fresh);
            }
        }

        @Override
        public void maintain(Connection connection) throws IOException {
            if (companion != null) {
                companion.maintain();
            }
            if (!alarm.isRaised()) {
                missingQueues.recheck(queue -> isMissing(connection, queue));
            }
        }

        @Override
        public void detached() {
            if (companion != null) {
                companion.detach();
            }
        }

        @Override
        public void blocked(boolean blocked) {
            if (blocked) {
                LOG.warn("RabbitMQ has blocked publishing because it is short of memory or disk");
            } else {
                LOG.info("RabbitMQ has unblocked publishing");
            }
            alarm.set(blocked);
        }

        @Override
        public void closed() {
            alarm.set(false);
            failAllIfClosed();
        }
    }

    private static boolean isMissing(Connection connection, String queue) throws IOException {
        ChannelProbe.BrokerRefusal refusal =
                ChannelProbe.probe(connection, channel -> channel.queueDeclarePassive(queue));
        return refusal != null && refusal.code() == ChannelProbe.NOT_FOUND;
    }

    private void failAllIfClosed() {
        if (closed) {
            failAll();
        } else {
            publishing.request();
        }
    }

    private void failAll() {
        main.link().takeAll().forEach(publication -> publication.fail(CLOSED));
        if (second != null) {
            second.link().takeAll().forEach(publication -> publication.fail(CLOSED));
        }
        for (PendingPublish next = posted.poll(); next != null; next = posted.poll()) {
            next.fail(CLOSED);
        }
    }

    /** Closes the connections and fails all unconfirmed messages. Any thread; blocks for at most about two seconds. */
    public void close() {
        closed = true;
        loop.execute(this::failAll);
        PublishConnection other = second;
        if (other != null) {
            other.supervisor().requestClose();
        }
        main.supervisor().close(CLOSE_WITHIN);
        other = second;
        if (other != null) {
            other.supervisor().close(CLOSE_SECOND_WITHIN);
        }
        loop.close();
    }
}
