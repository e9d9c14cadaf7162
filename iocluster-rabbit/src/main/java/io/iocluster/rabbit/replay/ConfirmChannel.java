package io.iocluster.rabbit.replay;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.rabbit.connection.ChannelProbe;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Publishes messages that the broker must confirm. Confined to one thread; methods block. */
final class ConfirmChannel implements AutoCloseable {

    private final Channel channel;
    private final Duration timeout;
    private volatile String returned;

    ConfirmChannel(Connection connection, Duration timeout) throws IOException {
        this.channel = ChannelProbe.openChannel(connection);
        this.timeout = timeout;
        channel.addReturnListener(message -> returned = message.getRoutingKey() + ": " + message.getReplyText());
        channel.confirmSelect();
    }

    void publish(String exchange, String routingKey, BasicProperties properties, byte[] body) throws IOException {
        channel.basicPublish(exchange, routingKey, true, properties, body);
    }

    /**
     * Waits until the broker has confirmed all messages.
     *
     * @throws IOException if a queue refused one, or is missing; others may be on their queues
     */
    void awaitConfirms() throws IOException, InterruptedException {
        try {
            if (!channel.waitForConfirms(timeout.toMillis())) {
                throw new IOException("the broker refused a message");
            }
        } catch (TimeoutException late) {
            throw new IOException("the broker did not confirm a message in time", late);
        }
        if (returned != null) {
            throw new IOException("no queue accepted a message: " + returned);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException | TimeoutException | ShutdownSignalException gone) {
            // Everything that counts is confirmed.
        }
    }
}
