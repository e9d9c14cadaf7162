package io.iocluster.testkit.contract;

import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One set of fresh queues (or topics) on a broker, for one test. {@link #close} takes away the queues; the test itself
 * closes the transports it asked for.
 */
public interface TransportFixture extends AutoCloseable {

    /** A node's transport on the fixture's queues, not started. Each is a further member of the same group. */
    Transport newTransport();

    /**
     * Like {@link #newTransport}, with a place for requests that are put off for so long.
     *
     * @return null if there is none, for one because such requests would lose their order
     */
    default Transport newTransport(Duration delay) {
        return null;
    }

    /**
     * Puts a request on the queue and returns when the broker has it.
     *
     * @param correlation the Kafka key or the AMQP correlation id, or null
     */
    void send(byte[] payload, String correlation, Map<String, String> headers);

    /** All answers published so far at the configured place, in any order; read again from the start each time. */
    List<BrokerMessage> answers();

    /** Like {@link #answers}, for another place that {@link #allowedReplyTo} names. */
    List<BrokerMessage> answersIn(String replyTo);

    List<BrokerMessage> deadLetters();

    /** A place that exists and that the transports allow for answers, other than the configured one. */
    String allowedReplyTo();

    /** Returns a place that the transports allow and that does not exist. */
    String missingReplyTo();

    /** A place that the transports do not allow. */
    String forbiddenReplyTo();

    /** How large an answer has to be so that the broker refuses it for its size; 0 if there is no such limit. */
    default int oversizedAnswerBytes() {
        return 0;
    }

    /** Whether {@link #killBroker} and {@link #restartBroker} work. */
    default boolean canStopBroker() {
        return false;
    }

    /** Ends the broker at once; what it holds is kept. */
    default void killBroker() {
        throw new UnsupportedOperationException();
    }

    /** Brings the broker back, at the same address and with what it held. */
    default void restartBroker() {
        throw new UnsupportedOperationException();
    }

    @Override
    void close();
}
