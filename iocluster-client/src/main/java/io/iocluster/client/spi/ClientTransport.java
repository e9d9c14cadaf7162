package io.iocluster.client.spi;

import io.iocluster.transport.RequestSource;
import java.io.IOException;

/** The queues as a client sees them: where they are and what they are called. Immutable, and connects to nothing by itself. */
public interface ClientTransport {

    /** The word for it: {@code kafka}, {@code rabbit}. */
    String name();

    /**
     * Connects. Blocks for some seconds at most; what is published from when it has returned is read.
     *
     * @param clientName shows in the broker's own lists
     * @throws IOException if the broker is away or a queue does not exist; the message is for people
     */
    ClientConnection connect(String clientName) throws IOException;

    /**
     * The answers that stand at {@link #defaultReplyTo}, each handed over until it is acknowledged. Not started yet.
     *
     * @param group those who share it share the answers; for a transport that knows groups
     */
    RequestSource newAnswerSource(String clientName, String group);

    /** Where answers to what was only enqueued are to go, as {@code replyTo} says it; null for the node's own place. */
    String defaultReplyTo();

    /**
     * Both ways of one client, kept open through outages of the broker; each is closed by itself.
     *
     * @param answers those that come to {@code replyTo} from now on
     * @param replyTo where answers have to go so that they come here, as the envelope's field says it; null for the node's own place
     */
    record ClientConnection(RequestPublisher requestPublisher, AnswerConsumer answerConsumer, String replyTo) {}
}
