package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/**
 * Runs one operation on a new channel, because the broker closes the channel of an operation that it refuses. Stateless;
 * blocks.
 */
public final class ChannelProbe {

    static final int ACCESS_REFUSED = 403;
    public static final int NOT_FOUND = 404;
    public static final int PRECONDITION_FAILED = 406;

    private ChannelProbe() {}

    /** An operation that the broker may refuse. */
    @FunctionalInterface
    public interface ChannelOperation {
        void run(Channel channel) throws IOException;
    }

    /**
     * Runs the operation.
     *
     * @return null on success, else why the broker refused
     * @throws IOException if the broker does not answer
     */
    public static BrokerRefusal probe(Connection connection, ChannelOperation operation) throws IOException {
        Channel channel = openChannel(connection);
        try {
            operation.run(channel);
            return null;
        } catch (IOException failed) {
            BrokerRefusal refusal = BrokerRefusal.of(failed);
            if (refusal == null) {
                throw failed;
            }
            return refusal;
        } finally {
            close(channel);
        }
    }

    /**
     * Opens a channel.
     *
     * @throws IOException if the broker does not answer or the connection has no free channel
     */
    public static Channel openChannel(Connection connection) throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("the connection has no free channel; raise the broker's channel_max");
        }
        return channel;
    }

    private static void close(Channel channel) throws IOException {
        try {
            if (channel.isOpen()) {
                channel.close();
            }
        } catch (TimeoutException | ShutdownSignalException e) {
            throw new IOException(e);
        }
    }

    /**
     * Why the broker refused an operation.
     *
     * @param code the AMQP reply code
     * @param text the broker's reply text
     */
    public record BrokerRefusal(int code, String text) {

        /** Returns the refusal that closed a channel; null if something else failed, such as the connection. */
        public static BrokerRefusal of(IOException failed) {
            return failed.getCause() instanceof ShutdownSignalException closed && !closed.isHardError()
                    ? new BrokerRefusal(
                            FailureText.replyCode(closed.getReason()), FailureText.replyText(closed.getReason()))
                    : null;
        }
    }
}
