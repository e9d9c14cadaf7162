package io.iocluster.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** Asks the broker on a channel that is thrown away, for the broker closes the channel of what it refuses. Stateless; blocks. */
final class Asking {

    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int LOCKED = 405;
    static final int NOT_AS_IT_IS = 406;

    private Asking() {}

    /** What is asked. */
    @FunctionalInterface
    interface Question {
        void ask(Channel channel) throws IOException;
    }

    /**
     * Asks.
     *
     * @return null if the broker agrees, else why not
     * @throws IOException if it does not answer
     */
    static Refusal ask(Connection connection, Question question) throws IOException {
        Channel channel = open(connection);
        try {
            question.ask(channel);
            return null;
        } catch (IOException refused) {
            if (refused.getCause() instanceof ShutdownSignalException closed && !closed.isHardError()) {
                return new Refusal(Reason.replyCode(closed.getReason()), Reason.replyText(closed.getReason()));
            }
            throw refused;
        } finally {
            close(channel);
        }
    }

    /** A channel that is there. */
    static Channel open(Connection connection) throws IOException {
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
    record Refusal(int code, String text) {}
}
