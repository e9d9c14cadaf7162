package io.iocluster.testkit.contract;

import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * New queues or topics on a broker, for one test. {@link #close} deletes them; the test closes its transports. Confined
 * to the test's thread.
 */
public interface TransportFixture extends AutoCloseable {

    /** Returns a transport on the fixture's queues, not yet started. All transports are members of the same group. */
    Transport newTransport();

    /** Returns a transport like {@link #newTransport()} that supports delayed retries with this delay. */
    Transport newTransport(Duration delay);

    /**
     * Puts a request on the queue and returns when the broker has confirmed it.
     *
     * @param correlationId the Kafka key or the AMQP correlation id, or null
     */
    void send(byte[] payload, String correlationId, Map<String, String> headers);

    /**
     * Returns all answers published to the configured topic or queue, in any order. Reads it from the start each time.
     */
    List<BrokerMessage> answers();

    /** Returns all answers like {@link #answers}, of the topic or queue of {@link #allowedReplyTo}. */
    List<BrokerMessage> answersIn(String replyTo);

    /** Returns all dead letters, in any order. */
    List<BrokerMessage> deadLetters();

    /** Returns an existing topic or queue that the transports allow for answers, other than the configured one. */
    String allowedReplyTo();

    /** Returns a topic or queue that the transports allow and that does not exist. */
    String missingReplyTo();

    /** Returns a topic or queue that the transports do not allow. */
    String forbiddenReplyTo();

    /** Returns the size in bytes of an answer that the broker refuses as too large; 0 if it has no limit. */
    default int oversizedAnswerBytes() {
        return 0;
    }

    /** Returns whether {@link #killBroker} and {@link #restartBroker} are supported. */
    default boolean canStopBroker() {
        return false;
    }

    /** Kills the broker and keeps its data. */
    default void killBroker() {
        throw new UnsupportedOperationException();
    }

    /** Restarts the broker with the same address and data. */
    default void restartBroker() {
        throw new UnsupportedOperationException();
    }

    @Override
    void close();
}
