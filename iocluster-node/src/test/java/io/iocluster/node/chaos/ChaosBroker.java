package io.iocluster.node.chaos;

import io.iocluster.testkit.chaos.FaultKind;
import io.iocluster.testkit.chaos.invariant.CallRecorder;
import io.iocluster.testkit.chaos.invariant.DuplicateRules;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A broker with the queues of a cluster of nodes, and the faults that it knows. {@link #send} and {@link #joinAndLeave} may be called by
 * any thread; the caller serializes all other calls.
 */
interface ChaosBroker extends AutoCloseable {

    /** Returns the faults that it knows. */
    Set<FaultKind> kinds();

    DuplicateRules rules();

    /** Returns the text of a node's configuration file. */
    String configuration(String node);

    /** Puts an envelope on the request queue. The future is true when the broker has it, and false if it refused it. */
    CompletableFuture<Boolean> send(String id, byte[] envelope);

    /** Ends the broker and starts it again after a time. */
    void restart(boolean killed, int awayMillis);

    /** Freezes the broker for a time. */
    void suspend(int millis);

    void cutConnections();

    void moveLeader();

    /** Lets consumers join the nodes' consumers and leave again, one after the other. They settle nothing. */
    void joinAndLeave(int consumers, int millisEach);

    /** Returns the topic or queue that calls may name in {@code replyTo}. */
    String replyPlace();

    /** Deletes the reply place if it exists. */
    void deleteReplyPlace();

    /** Creates the reply place if it does not exist. */
    void restoreReplyPlace();

    /** Adds the answers and dead letters to the ledger that came since the last time. */
    void collect(CallRecorder ledger);

    @Override
    void close();
}
