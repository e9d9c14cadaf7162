package io.iocluster.rabbit.client;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.rabbit.client.AnswerChannel.ReceivedMessage;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.ConnectionSupervisor;
import io.iocluster.rabbit.connection.Connector;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes answers. Not thread-safe: use it on one thread at a time; methods block. With an exchange it receives copies on an
 * exclusive queue. On a shared queue it acknowledges the wanted answers only. The others stay unacknowledged, hidden from other
 * consumers, until {@link #close} returns them to the queue.
 */
public final class RabbitAnswerConsumer implements AnswerConsumer {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitAnswerConsumer.class);
    private static final Duration ATTACH_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final AnswerChannel channel;
    private final Platform platform;
    private final EventLoopThread loop;
    private final ConnectionSupervisor supervisor;
    private final List<ReceivedMessage> taken = new ArrayList<>();
    private Channel latestChannel;
    private int unwanted;

    /**
     * Connects and starts to consume.
     *
     * @throws IOException if the broker is unreachable or the queue or exchange does not exist; the message is for the operator
     */
    public RabbitAnswerConsumer(RabbitSettings settings, String clientName, Platform platform) throws IOException {
        RabbitConnections connections = new Connector(settings, clientName, platform);
        this.platform = platform;
        this.channel = new AnswerChannel(AnswerQueue.fromSettings(settings.answers()), this::wakeUp, platform);
        this.loop = connections.newLoop("iocluster-rabbit-answers");
        this.supervisor = new ConnectionSupervisor(connections, "answers", loop, channel, true, platform);
        supervisor.start();
        try {
            awaitAttached(channel, supervisor, platform);
        } catch (IOException unreachable) {
            close();
            throw unreachable;
        }
    }

    /** Consumes on a connection that the caller owns and closes. */
    RabbitAnswerConsumer(AnswerChannel channel, Platform platform) {
        this.platform = platform;
        this.channel = channel;
        this.loop = null;
        this.supervisor = null;
    }

    private void wakeUp() {
        supervisor.wakeUp();
    }

    /** Blocks until the channel consumes for the first time. */
    static void awaitAttached(AnswerChannel channel, ConnectionSupervisor supervisor, Platform platform)
            throws IOException {
        try {
            if (!platform.await(channel.attached(), ATTACH_TIMEOUT)) {
                throw new IOException(supervisor.problem());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /**
     * Waits at most for the given time for wanted answers. The next call acknowledges them.
     *
     * @throws IOException if the queue has too many answers to other clients
     */
    @Override
    public void poll(Duration timeout, Recipient recipient) throws IOException {
        acknowledgeTaken();
        long end = platform.nanos() + timeout.toNanos();
        ReceivedMessage next = next(timeout.toNanos());
        while (next != null) {
            if (next.channel() != latestChannel) {
                latestChannel = next.channel();
                unwanted = 0;
            }
            if (recipient.offer(next.answer()) || !channel.answerQueue().isShared()) {
                taken.add(next);
            } else if (++unwanted >= AnswerQueue.MAX_UNACKNOWLEDGED) {
                throw new IOException(
                        "the answer queue has too many answers to other clients; use a reply queue for each client");
            }
            next = taken.isEmpty()
                    ? next(end - platform.nanos())
                    : channel.received().poll();
        }
    }

    private void acknowledgeTaken() {
        if (channel.answerQueue().isShared()) {
            taken.forEach(one -> acknowledge(one, false));
        } else {
            // All earlier tags of this channel are taken too.
            taken.stream().reduce((earlier, later) -> later).ifPresent(last -> acknowledge(last, true));
        }
        taken.clear();
    }

    private ReceivedMessage next(long nanos) throws IOException {
        try {
            return channel.received().poll(Duration.ofNanos(nanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void acknowledge(ReceivedMessage answer, boolean multiple) {
        try {
            answer.channel().basicAck(answer.tag(), multiple);
        } catch (IOException | ShutdownSignalException gone) {
            LOG.debug("Acknowledgement failed on a closed channel; the broker redelivers the answer", gone);
        }
    }

    @Override
    public void close() {
        acknowledgeTaken();
        if (supervisor != null) {
            supervisor.close(CLOSE_TIMEOUT);
            loop.close();
        }
    }
}
