package io.iocluster.rabbit.client;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.iocluster.rabbit.connection.ChannelProbe;
import io.iocluster.rabbit.connection.ConnectionSupervisor;
import io.iocluster.rabbit.connection.FailureText;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The channel on which answers come, whatever it takes them from. Confined to the link's thread; what has {@link #arrived} may be
 * taken by another.
 */
final class AnswerChannel implements ConnectionSupervisor.Attachment {

    private final AnswerQueue place;
    private final Runnable nudge;
    private final BlockingQueue<ReceivedMessage> arrived = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> attached = new CompletableFuture<>();
    private Channel channel;
    private volatile boolean cancelled;

    /** An answer, and how it is acknowledged. */
    record ReceivedMessage(Channel channel, long tag, byte[] answer) {}

    /**
     * Not attached yet.
     *
     * @param nudge has it tended soon; for any thread
     */
    AnswerChannel(AnswerQueue place, Runnable nudge) {
        this.place = place;
        this.nudge = nudge;
    }

    /** As many as the channel's prefetch at most. */
    BlockingQueue<ReceivedMessage> received() {
        return arrived;
    }

    AnswerQueue answerQueue() {
        return place;
    }

    /** Completes when answers come for the first time. */
    CompletableFuture<Void> attached() {
        return attached;
    }

    @Override
    public void attach(Connection fresh) throws IOException {
        cancelled = false;
        channel = ChannelProbe.openChannel(fresh);
        channel.addShutdownListener(cause -> nudge.run());
        place.consume(channel, this::consumer);
        attached.complete(null);
    }

    private DefaultConsumer consumer() {
        Channel mine = channel;
        return new DefaultConsumer(mine) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
                arrived.add(new ReceivedMessage(mine, envelope.getDeliveryTag(), body));
            }

            @Override
            public void handleCancel(String tag) {
                cancelled = true;
                nudge.run();
            }
        };
    }

    @Override
    public void maintain() throws IOException {
        if (cancelled) {
            throw new IOException("the queue of the answers is gone");
        }
        if (!channel.isOpen()) {
            throw new IOException(FailureText.of(channel.getCloseReason()));
        }
    }

    @Override
    public void detach() {}
}
