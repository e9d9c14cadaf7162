package io.iocluster.pipeline;

import io.iocluster.http.HttpExecutor.ConnectionStats;
import io.iocluster.pipeline.worker.Worker;
import io.iocluster.status.StatusField;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import java.util.List;

/**
 * A snapshot of a pipeline. Immutable.
 *
 * @param waiting what counts towards {@code workers.max-waiting}
 * @param inFlightBytes bytes of calls in flight, waiting calls and unconfirmed answers
 * @param stuck whether the node refuses messages and has made no progress for {@code workers.progress-timeout}
 */
public record PipelineStatus(
        PipelineState state,
        @StatusField(doc = "`kafka` or `rabbit`") String transport,
        @StatusField(doc = "calls in flight") int inFlight,

        @StatusField(name = "inFlightLimit", doc = "maximum calls in flight: `workers.max-in-flight`")
        int maxInFlight,

        @StatusField(
                doc = "calls that have been read and have not started, and unfinished envelopes with several calls")
        int waiting,

        @StatusField(doc = "calls that have ended and whose answers the broker has not confirmed")
        int unconfirmed,

        @StatusField(doc = "unconfirmed answers to reply topics or queues that are slow or refuse them")
        int waitingAnswers,

        @StatusField long inFlightBytes,
        @StatusField(name = "inFlightBytesLimit") long maxInFlightBytes,
        @StatusField List<WorkerStatus> workers,

        @StatusField(doc = "workers that died and were replaced since the start")
        long replacedWorkers,

        boolean stuck,
        @StatusField SourceStatus source) {

    public PipelineStatus {
        workers = List.copyOf(workers);
    }

    /** Returns the name of the state for operators, which is {@code paused} if an operator paused a running pipeline. */
    @StatusField(
            name = "state",
            values = {"starting", "running", "paused", "draining", "stopped"})
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
    public record WorkerStatus(
            @StatusField String name,
            @StatusField int inFlight,
            @StatusField int activeConnections,
            @StatusField int idleConnections,
            int pooledHosts) {

        static WorkerStatus of(Worker worker) {
            ConnectionStats connections = worker.connections();
            return new WorkerStatus(
                    worker.name(), worker.inFlight(), connections.active(), connections.idle(), connections.hosts());
        }
    }
}
