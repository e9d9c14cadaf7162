package io.iocluster.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
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
final class QueueLength {

    private static final Logger LOG = LoggerFactory.getLogger(QueueLength.class);

    private final String queue;
    private final long intervalMillis;
    private final Supplier<Connection> connections;
    private final Optional<ManagementApi> management;
    private final Supplier<SourceLoop.Shown> source;
    private final ProblemLog problem = new ProblemLog(LOG, null);
    private final ProblemLog managementProblem = new ProblemLog(LOG, null);
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "iocluster-rabbit-lag");
        made.setDaemon(true);
        return made;
    });

    private volatile Length length = new Length(0, 0, 0, true);
    private volatile Told told;
    private Channel channel;

    /**
     * The queue as the broker last described it.
     *
     * @param ready how many messages wait on the queue
     * @param unacknowledged how many were handed out to any node and not acknowledged; 0 if only this node's own are known
     * @param headMillis since when the first one waits, in milliseconds since the epoch; 0 if the broker does not say
     * @param unknown whether the broker has never said
     */
    record Length(long ready, long unacknowledged, long headMillis, boolean unknown) {}

    /**
     * What was known at one time.
     *
     * @param source what this node held then
     * @param over who said it
     */
    record Told(Length length, SourceLoop.Shown source, Connection over) {}

    /**
     * Of the queue of requests.
     *
     * @param connections the connection as it is now, or null
     * @param source what this node holds
     */
    QueueLength(
            RabbitSettings settings,
            Supplier<Connection> connections,
            Optional<ManagementApi> management,
            Supplier<SourceLoop.Shown> source) {
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
    Length length() {
        return length;
    }

    /** The last that is known for sure; null if the broker has never said. */
    Told told() {
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
            Length now = withManagement(ready);
            length = now;
            told = new Told(now, source.get(), connection);
            problem.clear();
        } catch (IOException | RuntimeException | Error failed) {
            // A connection that went away meanwhile is the link's to tell of.
            if (!thread.isShutdown() && connection.isOpen()) {
                problem.raise("RabbitMQ does not say how long the queue is: " + Reason.of(failed), null);
            }
        }
    }

    private Channel channel(Connection connection) throws IOException {
        if (channel == null || !channel.isOpen() || channel.getConnection() != connection) {
            channel = Asking.open(connection);
        }
        return channel;
    }

    /** Its figures are some seconds old, so that it is believed only for what AMQP does not say. */
    private Length withManagement(long ready) {
        if (management.isPresent()) {
            try {
                ManagementApi.Queue told = management.get().queue();
                managementProblem.clear();
                return new Length(ready, told.unacknowledged(), told.headMillis(), false);
            } catch (IOException | RuntimeException failed) {
                managementProblem.raise("RabbitMQ's management API cannot be asked: " + Reason.of(failed), null);
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            }
        }
        return new Length(ready, 0, 0, false);
    }

    void close() {
        thread.shutdownNow();
    }
}
