package io.iocluster.simulation.broker;

import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A broker that several processes use, and its faults. Confined to the thread of the simulation. */
public interface SimulatedBroker {

    /** The queue of answers that have no reply-to. */
    String ANSWERS = "answers";

    /** The queue of dead letters. */
    String DEAD_LETTERS = "dead-letters";

    /** The queue of delayed retries. */
    String DELAYED = "delayed";

    /** The queues that envelopes name as their reply-to. */
    List<String> REPLY_QUEUES = List.of("replies-a", "replies-b");

    /** Sets the observer. */
    void observe(BrokerListener listener);

    /** Returns the transport of a process, which is not started. */
    Transport connect(SimulatedProcess process);

    /** Loses the connection of a process, because the process ended or the network failed. */
    void disconnect(SimulatedProcess process);

    /** Puts a request on the queue. Its header {@code call} is the id of its call. */
    void send(byte[] payload, Map<String, String> headers);

    /** Stops the broker: it delivers and confirms nothing, and each connection is lost. */
    void stop();

    /** Starts the broker again with all messages that it had stored. */
    void start();

    /** Loses this part of the confirms, although the messages are stored. */
    void loseConfirms(double part);

    /** Refuses this part of the messages, without storing them. */
    void refuse(double part);

    /** Delays each confirm by this time. */
    void slowDown(Duration by);

    /**
     * Begins a fault that only this kind of broker has, such as a leader that moves. A broker without such faults does nothing.
     *
     * @param which 0 to 1: which of them, and how strong
     * @param node the process that it concerns, if it concerns one
     */
    default void disturb(double which, SimulatedProcess node, Duration time) {}

    /** Ends the faults that {@link #disturb} began. */
    default void endDisturbances() {}

    /** Deletes a reply queue. */
    void delete(String queue);

    /** Creates a reply queue again. */
    void create(String queue);

    /** Returns whether it ever refused messages for their size. */
    default boolean hasSmallMessages() {
        return false;
    }

    /** Returns how many messages could be delivered to a process now. */
    int readyFor(SimulatedProcess process);

    /** Returns how long a node may need to read a message that could be delivered to it, on a heavily delayed thread. */
    default Duration maxIdle() {
        return Duration.ofMillis(500);
    }

    /** Returns how many messages a process holds, or held when it closed its connection, that it should have settled. */
    int heldBy(SimulatedProcess process);

    /** Returns the calls that are not settled: ready, delivered or delayed. */
    Set<String> unsettledCalls();
}
