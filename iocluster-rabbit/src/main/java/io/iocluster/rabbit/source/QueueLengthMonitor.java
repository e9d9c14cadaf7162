package io.iocluster.rabbit.source;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.ChannelProbe;
import io.iocluster.rabbit.connection.FailureText;
import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import io.iocluster.transport.outage.PendingQuery;
import io.iocluster.transport.outage.ProblemLog;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls the length of the request queue, which also shows whether the queue exists. Owns a thread, to which everything except
 * the volatile fields is confined, and a channel on the source's connection.
 */
final class QueueLengthMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(QueueLengthMonitor.class);

    private final String queue;
    private final long intervalNanos;
    private final Supplier<Connection> connections;
    private final Optional<ManagementApi> management;
    private final Supplier<SourceLoop.SourceSnapshot> source;
    private final ProblemLog problem;
    private final PendingQuery pending;
    private final ProblemLog managementProblem;
    private final LoopThread loop;

    private volatile QueueDepth latestDepth = new QueueDepth(0, 0, 0, true);
    private volatile QueueObservation latestObservation;
    private volatile boolean closing;
    private Channel channel;

    /**
     * The broker's last report of the queue.
     *
     * @param ready messages that wait on the queue
     * @param unacknowledged messages delivered to any consumer and not acknowledged; 0 without the management API
     * @param headTimestampMillis timestamp of the first message, in milliseconds since the epoch; 0 if unknown
     * @param unknown whether the broker has never reported
     */
    record QueueDepth(long ready, long unacknowledged, long headTimestampMillis, boolean unknown) {}

    /**
     * A report, with what this node held at the same time.
     *
     * @param connection the connection that the report came from
     */
    record QueueObservation(QueueDepth depth, SourceLoop.SourceSnapshot source, Connection connection) {}

    /**
     * Monitors the request queue.
     *
     * @param connections returns the current connection, or null
     * @param management empty if it is not configured
     * @param source returns what this node holds
     */
    QueueLengthMonitor(
            RabbitSettings settings,
            Supplier<Connection> connections,
            Optional<ManagementApi> management,
            Supplier<SourceLoop.SourceSnapshot> source,
            Platform platform) {
        this.queue = settings.requests().queue();
        this.intervalNanos = Math.max(1, settings.lagInterval().toNanos());
        this.connections = connections;
        this.management = management;
        this.source = source;
        this.problem = new ProblemLog(LOG, null, platform);
        this.managementProblem = new ProblemLog(LOG, null, platform);
        this.pending = new PendingQuery(platform::nanos);
        this.loop = platform.newLoop("iocluster-rabbit-lag", this::step);
    }

    void start() {
        loop.start();
    }

    /** Returns the last report; {@code unknown} before the first. Any thread. */
    QueueDepth latestDepth() {
        return latestDepth;
    }

    /** Returns the last report with its connection; null before the first. Any thread. */
    QueueObservation latestObservation() {
        return latestObservation;
    }

    /** Returns why the broker does not report although there is a connection, or null. Any thread. */
    String problem() {
        return problem.problem();
    }

    /** Returns how long the broker has not answered the query that is under way, in milliseconds. Any thread. */
    long unansweredMillis() {
        return pending.millis();
    }

    private long step() {
        if (closing) {
            return LoopThread.Task.END;
        }
        poll();
        return intervalNanos;
    }

    private void poll() {
        Connection connection = connections.get();
        if (connection == null) {
            return;
        }
        pending.started();
        try {
            long ready = channel(connection).queueDeclarePassive(queue).getMessageCount();
            pending.ended();
            QueueDepth depth = withManagement(ready);
            latestDepth = depth;
            latestObservation = new QueueObservation(depth, source.get(), connection);
            problem.clear();
        } catch (IOException | RuntimeException | Error failed) {
            // The connection's supervisor reports a lost connection.
            if (!closing && connection.isOpen()) {
                problem.raise("RabbitMQ does not report the length of the queue: " + FailureText.of(failed), null);
            }
        } finally {
            pending.ended();
        }
    }

    private Channel channel(Connection connection) throws IOException {
        if (channel == null || !channel.isOpen() || channel.getConnection() != connection) {
            channel = ChannelProbe.openChannel(connection);
        }
        return channel;
    }

    /** Its statistics are some seconds old, so they are used only for values that AMQP does not provide. */
    private QueueDepth withManagement(long ready) {
        if (management.isPresent()) {
            try {
                ManagementApi.QueueStatistics statistics = management.get().fetchQueueStatistics();
                managementProblem.clear();
                return new QueueDepth(ready, statistics.unacknowledged(), statistics.headTimestampMillis(), false);
            } catch (IOException | RuntimeException failed) {
                managementProblem.raise("RabbitMQ's management API does not answer: " + FailureText.of(failed), null);
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            }
        }
        return new QueueDepth(ready, 0, 0, false);
    }

    void close() {
        closing = true;
        loop.wake();
        loop.interrupt();
    }
}
