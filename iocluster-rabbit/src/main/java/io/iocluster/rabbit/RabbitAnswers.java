package io.iocluster.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the answers, for people and scripts. From an exchange it gets copies, by a queue of its own. A queue has no copies to
 * give: what is wanted is taken off, and what is not is held back from others until {@link #close} and then stands on the queue
 * again. Confined to the thread that made it, and blocks it; what the link and its loop touch is safe for both.
 */
public final class RabbitAnswers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitAnswers.class);
    private static final long FIRST_WITHIN_SECONDS = 10;
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    /** How many answers may be held at once. */
    private static final int MOST_HELD = 20_000;

    private final RabbitSettings.Answers answers;
    private final Loop loop = new Loop("iocluster-rabbit-answers");
    private final Link link;
    private final LinkedBlockingQueue<Arrived> arrived = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> following = new CompletableFuture<>();
    private final List<Arrived> taken = new ArrayList<>();
    private Channel latest;
    private int held;

    private record Arrived(Channel channel, long tag, byte[] answer) {}

    /**
     * Begins to follow.
     *
     * @throws IOException if the broker is away or the place of the answers does not exist; the message is for people
     */
    public RabbitAnswers(RabbitSettings settings, String clientName) throws IOException {
        this.answers = settings.answers();
        this.link = new Link(new Connector(settings, clientName), "answers", loop, new OnLink(), true);
        link.start();
        try {
            following.get(FIRST_WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            String problem = link.problem();
            close();
            throw new IOException(problem, e);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (java.util.concurrent.ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The channel on which answers come. Confined to the link's thread. */
    private final class OnLink implements Link.Attachment {

        private Channel channel;
        private volatile boolean cancelled;

        @Override
        public void attach(Connection fresh) throws IOException {
            cancelled = false;
            channel = Asking.open(fresh);
            channel.addShutdownListener(cause -> link.nudge());
            if (answers.exchange().isEmpty()) {
                for (int part : Prefetch.split(MOST_HELD)) {
                    channel.basicQos(part);
                    channel.basicConsume(answers.routingKey(), false, consumer());
                }
            } else {
                String copies = channel.queueDeclare().getQueue();
                channel.queueBind(copies, answers.exchange(), answers.routingKey());
                channel.basicQos(Prefetch.MOST_OF_ONE);
                channel.basicConsume(copies, false, consumer());
            }
            following.complete(null);
        }

        private DefaultConsumer consumer() {
            Channel mine = channel;
            return new DefaultConsumer(mine) {
                @Override
                public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
                    arrived.add(new Arrived(mine, envelope.getDeliveryTag(), body));
                }

                @Override
                public void handleCancel(String tag) {
                    cancelled = true;
                    link.nudge();
                }
            };
        }

        @Override
        public void tend() throws IOException {
            if (cancelled) {
                throw new IOException("the queue of the answers is gone");
            }
            if (!channel.isOpen()) {
                throw new IOException(Reason.of(channel.getCloseReason()));
            }
        }

        @Override
        public void detach() {}
    }

    /**
     * Waits for wanted answers, at most for the given time; may be empty. They are off the queue with the next call.
     *
     * @throws IOException if too many are held for others to go on
     */
    public List<byte[]> poll(Duration atMost, Predicate<byte[]> wanted) throws IOException {
        acknowledgeTaken();
        long end = System.nanoTime() + atMost.toNanos();
        Arrived next = next(atMost.toNanos());
        while (next != null) {
            if (next.channel() != latest) {
                latest = next.channel();
                held = 0;
            }
            if (wanted.test(next.answer())) {
                taken.add(next);
            } else if (!answers.exchange().isEmpty()) {
                acknowledge(next);
            } else if (++held >= MOST_HELD) {
                throw new IOException("the queue " + answers.routingKey() + " is full of answers to others");
            }
            next = taken.isEmpty() ? next(end - System.nanoTime()) : arrived.poll();
        }
        return taken.stream().map(Arrived::answer).toList();
    }

    private void acknowledgeTaken() {
        taken.forEach(RabbitAnswers::acknowledge);
        taken.clear();
    }

    private Arrived next(long nanos) throws IOException {
        try {
            return arrived.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void acknowledge(Arrived answer) {
        try {
            answer.channel().basicAck(answer.tag(), false);
        } catch (IOException | ShutdownSignalException gone) {
            LOG.debug("The channel is gone, and the answer comes again", gone);
        }
    }

    @Override
    public void close() {
        acknowledgeTaken();
        link.close(CLOSE_WITHIN);
        loop.close();
    }
}
