package io.iocluster.rabbit.source;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.ChannelProbe;
import io.iocluster.rabbit.connection.FailureText;
import io.iocluster.transport.outage.ProblemLog;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker again and again how long the queue of requests is, and so whether it is there. Has a thread of its own, to which
 * all but the volatile fields is confined, and a channel of its own on the source's connection.
 */
final class QueueLengthMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(QueueLengthMonitor.class);

    private final String queue;
    private final long intervalMillis;
    private final Supplier<Connection> connections;
    private final Optional<ManagementApi> management;
    private final Supplier<SourceLoop.SourceSnapshot> source;
    private final ProblemLog problem = new ProblemLog(LOG, null);
    private final ProblemLog managementProblem = new ProblemLog(LOG, null);
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "iocluster-rabbit-lag");
        made.setDaemon(true);
        return made;
    });

    private volatile QueueDepth length = new QueueDepth(0, 0, 0, true);
    private volatile QueueObservation told;
    private Channel channel;

    /**
     * The queue as the broker last described it.
     *
     * @param ready how many messages wait on the queue
     * @param unacknowledged how many were handed out to any node and not acknowledged; 0 if only this node's own are known
     * @param headMillis since when the first one waits, in milliseconds since the epoch; 0 if the broker does not say
     * @param unknown whether the broker has never said
     */
    record QueueDepth(long ready, long unacknowledged, long headTimestampMillis, boolean unknown) {}

    /**
     * What was known at one time.
     *
     * @param source what this node held then
     * @param over who said it
     */
    record QueueObservation(QueueDepth depth, SourceLoop.SourceSnapshot source, Connection connection) {}

    /**
     * Of the queue of requests.
     *
     * @param connections the connection as it is now, or null
     * @param source what this node holds
     */
    QueueLengthMonitor(
            RabbitSettings settings,
            Supplier<Connection> connections,
            Optional<ManagementApi> management,
            Supplier<SourceLoop.SourceSnapshot> source) {
        this.queue = settings.requests().queue();
        this.intervalMillis = settings.lagInterval().toMillis();
        this.connections = connections;
        this.management = management;
        this.source = source;
    }

    void start() {
        thread.scheduleWithFixedDelay(this::ask, 0, Math.max(1, intervalMillis), TimeUnit.MILLISECONDS);
    }

    /** As it was when the broker was last asked. */
    QueueDepth latestDepth() {
        return length;
    }

    /** The last that is known for sure; null if the broker has never said. */
    QueueObservation latestObservation() {
        return told;
    }

    /** Why the broker does not answer although there is a connection, or null. */
    String problem() {
        return problem.problem();
    }

    private void ask() {
        Connection connection = connections.get();
        if (connection == null) {
            return;
        }
        try {
            long ready = channel(connection).queueDeclarePassive(queue).getMessageCount();
            QueueDepth now = withManagement(ready);
            length = now;
            told = new QueueObservation(now, source.get(), connection);
            problem.clear();
        } catch (IOException | RuntimeException | Error failed) {
            // A connection that went away meanwhile is the link's to tell of.
            if (!thread.isShutdown() && connection.isOpen()) {
                problem.raise("RabbitMQ does not say how long the queue is: " + FailureText.of(failed), null);
            }
        }
    }

    private Channel channel(Connection connection) throws IOException {
        if (channel == null || !channel.isOpen() || channel.getConnection() != connection) {
            channel = ChannelProbe.openChannel(connection);
        }
        return channel;
    }

    /** Its figures are some seconds old, so that it is believed only for what AMQP does not say. */
    private QueueDepth withManagement(long ready) {
        if (management.isPresent()) {
            try {
                ManagementApi.QueueStatistics told = management.get().fetchQueueStatistics();
                managementProblem.clear();
                return new QueueDepth(ready, told.unacknowledged(), told.headTimestampMillis(), false);
            } catch (IOException | RuntimeException failed) {
                managementProblem.raise("RabbitMQ's management API cannot be asked: " + FailureText.of(failed), null);
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            }
        }
        return new QueueDepth(ready, 0, 0, false);
    }

    void close() {
        thread.shutdownNow();
    }
}
