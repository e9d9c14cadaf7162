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
 * Follows the answers. From an exchange it gets copies, by a queue of its own. A queue has no copies to give: what is wanted is taken
 * off, and what is not is held back from others until {@link #close} and then stands on the queue again. Confined to one thread at a
 * time, and blocks it; what the link and its loop touch is safe for both.
 */
public final class RabbitAnswerConsumer implements AnswerConsumer {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitAnswerConsumer.class);
    private static final long FIRST_WITHIN_SECONDS = 10;
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    private final AnswerChannel channel;
    private final EventLoopThread loop;
    private final ConnectionSupervisor link;
    private final List<ReceivedMessage> taken = new ArrayList<>();
    private Channel latest;
    private int held;

    /**
     * Begins to follow.
     *
     * @throws IOException if the broker is away or the place of the answers does not exist; the message is for people
     */
    public RabbitAnswerConsumer(RabbitSettings settings, String clientName) throws IOException {
        this.channel = new AnswerChannel(AnswerQueue.fromSettings(settings.answers()), this::nudge);
        this.loop = new EventLoopThread("iocluster-rabbit-answers");
        this.link = new ConnectionSupervisor(new Connector(settings, clientName), "answers", loop, channel, true);
        link.start();
        try {
            awaitFirst(channel, link);
        } catch (IOException away) {
            close();
            throw away;
        }
    }

    /** Follows on a connection that is another's, who closes it. */
    RabbitAnswerConsumer(AnswerChannel channel) {
        this.channel = channel;
        this.loop = null;
        this.link = null;
    }

    private void nudge() {
        link.wakeUp();
    }

    /** Waits until answers come for the first time. */
    static void awaitFirst(AnswerChannel channel, ConnectionSupervisor link) throws IOException {
        try {
            channel.attached().get(FIRST_WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException(link.problem(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Waits for wanted answers, at most for the given time. They are off the queue with the next call.
     *
     * @throws IOException if too many are held for others to go on
     */
    @Override
    public void poll(Duration within, Recipient taker) throws IOException {
        acknowledgeTaken();
        long end = System.nanoTime() + within.toNanos();
        ReceivedMessage next = next(within.toNanos());
        while (next != null) {
            if (next.channel() != latest) {
                latest = next.channel();
                held = 0;
            }
            if (taker.offer(next.answer()) || !channel.answerQueue().isShared()) {
                taken.add(next);
            } else if (++held >= AnswerQueue.MAX_UNACKNOWLEDGED) {
                throw new IOException("the queue of the answers is full of answers to others");
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
            // All before it were taken too, but for those of a channel that is gone.
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

    private static void acknowledge(ReceivedMessage answer, boolean withAllBefore) {
        try {
            answer.channel().basicAck(answer.tag(), withAllBefore);
        } catch (IOException | ShutdownSignalException gone) {
            LOG.debug("The channel is gone, and the answer comes again", gone);
        }
    }

    @Override
    public void close() {
        acknowledgeTaken();
        if (link != null) {
            link.close(CLOSE_WITHIN);
            loop.close();
        }
    }
}
