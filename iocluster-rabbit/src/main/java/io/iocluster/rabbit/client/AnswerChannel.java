package io.iocluster.rabbit.client;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.iocluster.rabbit.connection.BlockingMailbox;
import io.iocluster.rabbit.connection.ChannelProbe;
import io.iocluster.rabbit.connection.ConnectionSupervisor;
import io.iocluster.rabbit.connection.FailureText;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * The channel on which answers arrive. Confined to the supervisor's thread, except for {@link #received}, which any thread may
 * poll.
 */
final class AnswerChannel implements ConnectionSupervisor.Attachment {

    private final AnswerQueue answerQueue;
    private final Runnable wakeUp;
    private final BlockingMailbox<ReceivedMessage> received;
    private final CompletableFuture<Void> attached = new CompletableFuture<>();
    private Channel channel;
    private volatile boolean cancelled;

    /** An answer, with the channel and tag for its acknowledgement. */
    record ReceivedMessage(Channel channel, long tag, byte[] answer) {}

    /**
     * Creates a channel that is not attached yet.
     *
     * @param wakeUp makes the supervisor call {@link #maintain} soon; for any thread
     */
    AnswerChannel(AnswerQueue answerQueue, Runnable wakeUp, Platform platform) {
        this.answerQueue = answerQueue;
        this.wakeUp = wakeUp;
        this.received = new BlockingMailbox<>(platform);
    }

    /** Returns the received answers. The channel's prefetch bounds them. */
    BlockingMailbox<ReceivedMessage> received() {
        return received;
    }

    AnswerQueue answerQueue() {
        return answerQueue;
    }

    /** Returns a future that completes when the channel consumes for the first time. */
    CompletableFuture<Void> attached() {
        return attached;
    }

    @Override
    public void attach(Connection fresh) throws IOException {
        cancelled = false;
        channel = ChannelProbe.openChannel(fresh);
        channel.addShutdownListener(cause -> wakeUp.run());
        answerQueue.consume(channel, this::consumer);
        attached.complete(null);
    }

    private DefaultConsumer consumer() {
        Channel consumed = channel;
        return new DefaultConsumer(consumed) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
                received.add(new ReceivedMessage(consumed, envelope.getDeliveryTag(), body));
            }

            @Override
            public void handleCancel(String tag) {
                cancelled = true;
                wakeUp.run();
            }
        };
    }

    @Override
    public void maintain() throws IOException {
        if (cancelled) {
            throw new IOException("the answer queue was deleted");
        }
        if (!channel.isOpen()) {
            throw new IOException(FailureText.of(channel.getCloseReason()));
        }
    }

    @Override
    public void detach() {}
}
