package io.iocluster.node.chaos.broker;

import io.iocluster.testkit.broker.RestartableBroker;
import io.iocluster.testkit.chaos.invariant.CallRecorder;
import io.iocluster.testkit.chaos.invariant.DuplicateRules;
import io.iocluster.testkit.process.FixedWait;
import java.util.concurrent.CompletableFuture;

/**
 * A broker with the queues of a cluster of nodes, and the faults that it supports. Any thread may call {@link #send}
 * and {@link #joinAndLeave}; the caller serializes all other calls.
 */
public interface ChaosBroker extends AutoCloseable {

    DuplicateRules rules();

    /** Returns the text of a node's configuration file. */
    String configuration(String node);

    /**
     * Sends an envelope to the request queue. The future is true if the broker confirms it, and false if it rejects
     * it.
     */
    CompletableFuture<Boolean> send(String id, byte[] envelope);

    /** Returns the broker that leads the request queue. The faults hit this one. */
    RestartableBroker leader();

    /** Ends the leader and starts it again after a time. */
    default void restart(boolean killed, int awayMillis) {
        RestartableBroker broker = leader();
        if (killed) {
            broker.kill();
        } else {
            broker.stop();
        }
        FixedWait.millis(awayMillis);
        broker.start();
    }

    /** Freezes the leader for a time. */
    default void suspend(int millis) {
        RestartableBroker broker = leader();
        broker.pause();
        FixedWait.millis(millis);
        broker.unpause();
    }

    void cutConnections();

    void moveLeaders();

    /** Lets consumers join the nodes' consumers and leave again, one after the other. They settle nothing. */
    void joinAndLeave(int consumers, int millisEach);

    /** Returns the topic or queue that calls may name in {@code replyTo}. */
    String replyTo();

    /** Deletes the reply-to if it exists. */
    void deleteReplyTo();

    /** Creates the reply-to if it does not exist. */
    void restoreReplyTo();

    /** Records the answers and dead letters that arrived since the last call. */
    void collect(CallRecorder recorder);

    @Override
    void close();
}
