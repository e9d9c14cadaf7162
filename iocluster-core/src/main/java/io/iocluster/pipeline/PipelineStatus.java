package io.iocluster.pipeline;

import io.iocluster.http.HttpExecutor.ConnectionStats;
import io.iocluster.pipeline.worker.Worker;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import java.util.List;

/**
 * A snapshot of a pipeline. Immutable.
 *
 * @param transport the transport's name
 * @param inFlight calls in flight now
 * @param waiting calls that count towards {@code workers.max-waiting}: those that wait for a slot, and scatter-gather messages
 *     with open branches
 * @param unconfirmed calls that have ended and whose answers the broker has not confirmed
 * @param waitingAnswers unconfirmed answers to a topic or queue that is slow or refuses them
 * @param inFlightBytes bytes of calls in flight, waiting calls and unconfirmed answers
 * @param replacedWorkers how many workers died and were replaced since the start
 * @param stuck whether the node refuses messages and has made no progress for {@code workers.progress-timeout}
 */
public record PipelineStatus(
        PipelineState state,
        String transport,
        int inFlight,
        int maxInFlight,
        int waiting,
        int unconfirmed,
        int waitingAnswers,
        long inFlightBytes,
        long maxInFlightBytes,
        List<WorkerStatus> workers,
        long replacedWorkers,
        boolean stuck,
        SourceStatus source) {

    public PipelineStatus {
        workers = List.copyOf(workers);
    }

    /** Returns the name of the state for operators, which is {@code paused} if an operator paused a running pipeline. */
    public String stateName() {
        boolean paused = state == PipelineState.RUNNING && source.pauseReasons().contains(PauseReason.OPERATOR);
        return paused ? "paused" : state.wireName();
    }

    /** Returns why nothing is read, for operators; null if messages are read. */
    public String stopReason() {
        if (state != PipelineState.RUNNING || source.pauseReasons().contains(PauseReason.DRAIN)) {
            String name = state == PipelineState.RUNNING ? PipelineState.DRAINING.wireName() : state.wireName();
            return "nothing is read: the node is " + name;
        }
        if (source.pauseReasons().contains(PauseReason.OPERATOR)) {
            return "nothing is read: an operator paused the node";
        }
        return source.connected() ? null : "nothing is read: " + source.problem();
    }

    /** One worker's load and connections. */
    public record WorkerStatus(String name, int inFlight, int activeConnections, int idleConnections, int pooledHosts) {

        static WorkerStatus of(Worker worker) {
            ConnectionStats connections = worker.connections();
            return new WorkerStatus(
                    worker.name(), worker.inFlight(), connections.active(), connections.idle(), connections.hosts());
        }
    }
}
