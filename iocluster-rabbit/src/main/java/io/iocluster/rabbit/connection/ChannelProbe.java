package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** Asks the broker on a channel that is thrown away, for the broker closes the channel of what it refuses. Stateless; blocks. */
public final class ChannelProbe {

    static final int ACCESS_REFUSED = 403;
    public static final int NOT_FOUND = 404;
    static final int RESOURCE_LOCKED = 405;
    public static final int PRECONDITION_FAILED = 406;

    private ChannelProbe() {}

    /** What is asked. */
    @FunctionalInterface
    public interface ChannelOperation {
        void run(Channel channel) throws IOException;
    }

    /**
     * Asks.
     *
     * @return null if the broker agrees, else why not
     * @throws IOException if it does not answer
     */
    public static BrokerRefusal probe(Connection connection, ChannelOperation question) throws IOException {
        Channel channel = openChannel(connection);
        try {
            question.run(channel);
            return null;
        } catch (IOException refused) {
            if (refused.getCause() instanceof ShutdownSignalException closed && !closed.isHardError()) {
                return new BrokerRefusal(
                        FailureText.replyCode(closed.getReason()), FailureText.replyText(closed.getReason()));
            }
            throw refused;
        } finally {
            close(channel);
        }
    }

    /** A channel that is there. */
    public static Channel openChannel(Connection connection) throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("the broker allows no further channel");
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
     * Why the broker refused.
     *
     * @param code as AMQP numbers it
     * @param text the broker's own words
     */
    public record BrokerRefusal(int code, String text) {}
}
