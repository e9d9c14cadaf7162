package io.iocluster.rabbit.client;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.rabbit.client.AnswerChannel.ReceivedMessage;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.ConnectionSupervisor;
import io.iocluster.rabbit.connection.Connector;
import io.iocluster.rabbit.connection.EventLoopThread;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes answers. Not thread-safe: use it on one thread at a time; methods block. With an exchange it receives copies on an
 * exclusive queue. On a shared queue it acknowledges the wanted answers only. The others stay unacknowledged, hidden from other
 * consumers, until {@link #close} returns them to the queue.
 */
public final class RabbitAnswerConsumer implements AnswerConsumer {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitAnswerConsumer.class);
    private static final long ATTACH_TIMEOUT_SECONDS = 10;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final AnswerChannel channel;
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
    public RabbitAnswerConsumer(RabbitSettings settings, String clientName) throws IOException {
        this.channel = new AnswerChannel(AnswerQueue.fromSettings(settings.answers()), this::wakeUp);
        this.loop = new EventLoopThread("iocluster-rabbit-answers");
        this.supervisor = new ConnectionSupervisor(new Connector(settings, clientName), "answers", loop, channel, true);
        supervisor.start();
        try {
            awaitAttached(channel, supervisor);
        } catch (IOException unreachable) {
            close();
            throw unreachable;
        }
    }

    /** Consumes on a connection that the caller owns and closes. */
    RabbitAnswerConsumer(AnswerChannel channel) {
        this.channel = channel;
        this.loop = null;
        this.supervisor = null;
    }

    private void wakeUp() {
        supervisor.wakeUp();
    }

    /** Blocks until the channel consumes for the first time. */
    static void awaitAttached(AnswerChannel channel, ConnectionSupervisor supervisor) throws IOException {
        try {
            channel.attached().get(ATTACH_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException(supervisor.problem(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
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
        long end = System.nanoTime() + timeout.toNanos();
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
                    ? next(end - System.nanoTime())
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
            return channel.received().poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
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
