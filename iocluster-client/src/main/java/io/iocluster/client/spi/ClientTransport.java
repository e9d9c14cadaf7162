package io.iocluster.client.spi;

import io.iocluster.transport.RequestSource;
import java.io.IOException;

/** The broker and queues of a client. Immutable; connects only when asked. */
public interface ClientTransport {

    /** Returns its name: {@code kafka} or {@code rabbit}. */
    String name();

    /**
     * Connects. Blocks for a few seconds at most. Answers that are published after it has returned are read.
     *
     * @param clientName the client's name at the broker
     * @throws IOException if the broker is unreachable or a queue does not exist; the message is human-readable
     */
    ClientConnection connect(String clientName) throws IOException;

    /**
     * Returns a source, not yet started, of the answers at {@link #defaultReplyTo}. It redelivers an answer until it is
     * acknowledged.
     *
     * @param group the consumer group that shares the answers, if the broker has groups
     */
    RequestSource newAnswerSource(String clientName, String group);

    /**
     * Returns the {@code replyTo} of enqueued requests; null for the topic or queue that the node is configured with.
     */
    String defaultReplyTo();

    /**
     * The publisher and consumer of one client. Both reconnect after an outage of the broker, and each must be closed.
     *
     * @param answerConsumer reads the answers that are published to {@code replyTo} from now on
     * @param replyTo the value of the envelope's {@code replyTo}, so that answers reach this client; null for the topic
     *     or queue that the node is configured with
     */
    record ClientConnection(RequestPublisher requestPublisher, AnswerConsumer answerConsumer, String replyTo) {}
}
